import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { signaturesOf } from './signature.ts';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** OpenSSL has signed the body: `openssl dgst -sha256 -sign key.pem | base64`. */
const VECTOR = {
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAjj89eeom0OgH7NFK1Kyp
WEgu4ZoU966cy6yOpYbAKVZOVazQn0Qm9gnj0H9OCnEX217HH/truZIqfwycICS7
wofoqcZrUbyUbUk6TPzeJOVgSK6oc9UqxBvrH5ttE8ifIf3rN2fOekO/NgXmq/Pz
Ps8M1HdJQKW4UfYESrVZ+NZ7uR4TPC6I2ztoBxTJ1RmrhrFjAJI5ziwxshgTM42E
w7ifm3vjCPBzvHVX2DTGPyHGAg0yXP4Kxo1igv5II+CIhemCbwmGTlE0yhhr/Yix
+/OM+GY3PklgOIiFhZdtJF8lKeBH6iSOw/jbrV+hnq+7e/dBg3V92n9beS4dUf/E
QwIDAQAB
-----END PUBLIC KEY-----`,
  body: '{"user":"john12345","operator_id":1}',
  signature: [
    'EC+aBqUVa8VQJpe2nqA0FLXAngIqXrmW1WievnsPiHBOQuonV7ouRn6Zo2ax4AvIezDqIWo9Oj400vvY2rOULd5AmJEanVxA',
    'OgETry9F7oUQI+i0rY9v/rrcJhmdz2wgjw1DCGS4kB3f4ZxuBHfxScbrdoyHw1lpJQKRBuFDQCbuXpeghS/0Yo2k3wZaeLkV',
    'uyUSqNKSRM3IH5d50L2sJRYYvtVzTynoPjZgx5AhBJz+s6w+BqnFj6i5t3MFcDXUVdtNSs/qhREKv4WscPt2Mr/kk04iVwH+',
    'RLVTE4JQPfHYGtqsrNHxB4bJ9AT1eGTU7UDmfdWyu85vD06olBu5Vg==',
  ].join(''),
};

const { signatureOf, isSigned } = signaturesOf({
  privateKey: keys.privateKey,
  hub88PublicKeys: [keys.publicKey, VECTOR.publicKey],
});

it('a signature of OpenSSL over the same bytes is valid, also by the second key', () => {
  expect(isSigned(Buffer.from(VECTOR.body), Buffer.from(VECTOR.signature, 'base64'))).toBe(true);
});

it.each([
  ['another byte', `${VECTOR.body} `, VECTOR.signature],
  ['a shorter signature', VECTOR.body, VECTOR.signature.slice(4)],
  ['no signature', VECTOR.body, ''],
])('%s is not signed', (_what, body, signature) => {
  expect(isSigned(Buffer.from(body), Buffer.from(signature, 'base64'))).toBe(false);
});

it('a signature is over the exact bytes', async () => {
  const signature = Buffer.from(await signatureOf(VECTOR.body), 'base64');
  expect(verify('sha256', Buffer.from(VECTOR.body), keys.publicKey, signature)).toBe(true);
});
