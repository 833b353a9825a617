import { expect, it } from 'vitest';
import { signaturesOf } from './signature.ts';

/** The first two tests of RFC 8032, 7.1: secret key, public key, message, signature. */
const VECTORS = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'r',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
] as const;

/** The key as PEM: OpenSSL puts these bytes before those of the RFC. */
function pemOf(kind: 'PRIVATE' | 'PUBLIC', key: string): string {
  const before = { PRIVATE: '302e020100300506032b657004220420', PUBLIC: '302a300506032b6570032100' };
  const base64 = Buffer.from(before[kind] + key, 'hex').toString('base64');
  return `-----BEGIN ${kind} KEY-----\n${base64}\n-----END ${kind} KEY-----\n`;
}

const [[, first], [, second]] = VECTORS;
const publicKeys = [first, second].map((key) => pemOf('PUBLIC', key));

it.each(VECTORS)('the signature is that of RFC 8032: %s', (secret, _key, message, signature) => {
  const keys = signaturesOf({ privateKey: pemOf('PRIVATE', secret), operatorPublicKeys: publicKeys });
  const expected = Buffer.from(signature, 'hex').toString('base64');
  expect(keys.signatureOf(message)).toBe(expected);
  expect(keys.isSigned(Buffer.from(message), expected)).toBe(true);
  const others = [undefined, '', [expected], `${expected} `, expected.slice(4), expected.replaceAll('=', '')];
  for (const other of others) expect(keys.isSigned(Buffer.from(message), other)).toBe(false);
  expect(keys.isSigned(Buffer.from(`${message} `), expected)).toBe(false);
});

it('a key that the settings do not have does not verify', () => {
  const [[secret, key], [, other]] = VECTORS;
  const keys = (operatorKey: string) =>
    signaturesOf({ privateKey: pemOf('PRIVATE', secret), operatorPublicKeys: [pemOf('PUBLIC', operatorKey)] });
  const signature = keys(key).signatureOf('body');
  expect(keys(key).isSigned(Buffer.from('body'), signature)).toBe(true);
  expect(keys(other).isSigned(Buffer.from('body'), signature)).toBe(false);
});
