import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { publishedVectors } from '../../test/publishedVectors.ts';
import { isStorableText } from '../text.ts';
import {
  NONCE_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_SECONDS,
  type SignatureHeaders,
  type SignedBody,
  type SignedCall,
  signatureIssue,
  signCall,
  TIMESTAMP_HEADER,
} from './signature.ts';
import { areKeys } from './signatureKeys.ts';

const EC_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const NOW_SECONDS = 1_795_262_400;
const NONCE = 'c2b1f7d0e4a95836';

const CALL = { direction: 'to-operator', method: 'POST', path: '/debit' } as const;

function sign(body: SignedBody, { secret, nowSeconds }: { secret: string; nowSeconds: number }) {
  return signCall({ ...CALL, body }, { secret, nowSeconds, nonce: NONCE });
}

function issueOf(
  body: SignedBody,
  headers: SignatureHeaders,
  { secrets, nowSeconds }: { secrets: string[]; nowSeconds: number },
) {
  return signatureIssue({ ...CALL, body }, { headers, secrets, nowSeconds });
}

describe('the published test vectors', () => {
  const vectors = publishedVectors();

  it('are there: both directions, ASCII, beyond ASCII, the empty body, and some that must fail', () => {
    const good = vectors.filter(({ holds }) => holds).map(({ call }) => call);
    expect(good.length).toBeGreaterThanOrEqual(3);
    expect(good.length).toBeLessThan(vectors.length);
    expect(new Set(good.map(({ direction }) => direction))).toEqual(new Set(['to-operator', 'to-rgs']));
    expect(good.some(({ body }) => body === '')).toBe(true);
    expect(good.some(({ body }) => /[^\x20-\x7e]/.test(String(body)))).toBe(true);
    expect(good.some(({ path }) => path.includes('?'))).toBe(true);
  });

  it.each(vectors)('$name', ({ secret, timestamp, nonce, call, signature, holds }) => {
    const nowSeconds = Number(timestamp);
    const headers = { [TIMESTAMP_HEADER]: timestamp, [NONCE_HEADER]: nonce, [SIGNATURE_HEADER]: signature };
    const issue = signatureIssue(call, { headers, secrets: [secret], nowSeconds });
    expect(issue === undefined).toBe(holds);
    const signed = signCall(call, { secret, nowSeconds, nonce });
    expect(signed[SIGNATURE_HEADER] === signature).toBe(holds);
  });
});

describe('Ed25519 keys', () => {
  const vectors = publishedVectors('ed25519Vectors');
  const [{ private: own, public: other }] = vectors as [(typeof vectors)[number]];
  const keys = `${own}${other}`;
  const headersOf = (secret: string) => sign('{}', { secret, nowSeconds: NOW_SECONDS });

  it.each(vectors)('$name', ({ timestamp, nonce, call, signature, holds }) => {
    const nowSeconds = Number(timestamp);
    const headers = { [TIMESTAMP_HEADER]: timestamp, [NONCE_HEADER]: nonce, [SIGNATURE_HEADER]: signature };
    expect(signatureIssue(call, { headers, secrets: [keys], nowSeconds }) === undefined).toBe(holds);
    expect(signCall(call, { secret: keys, nowSeconds, nonce })[SIGNATURE_HEADER] === signature).toBe(holds);
  });

  it.each([
    ['keys beside a shared secret', ['shared', keys], own, undefined],
    ['a shared secret beside keys', [keys, 'shared'], 'shared', undefined],
    ['a shared secret alone', ['shared'], own, 'not by any of the secrets'],
    ['keys without the public one', [own], own, 'not by any of the secrets'],
    ['the text of keys as a secret', [keys], 'shared', 'not by any of the secrets'],
  ])('%s', (_, secrets, signer, issue) => {
    expect(issueOf('{}', headersOf(signer), { secrets, nowSeconds: NOW_SECONDS })).toBe(issue);
  });

  it.each([
    ['a public key first', `${other}${own}`],
    ['two private keys', `${own}${own}`],
    ['a text behind them', `${keys}x`],
    ['a broken key', keys.replace('MC', 'MD')],
    ['a key of another kind', EC_KEY],
  ])('are no keys: %s', (_, text) => {
    expect(areKeys(text)).toBe(false);
    expect(() => headersOf(text)).toThrow('keys are a private Ed25519 key in PEM');
  });

  it('sign and verify with both, in either kind of line end', () => {
    expect([keys, keys.trimEnd(), keys.replaceAll('\n', '\r\n')].map(areKeys)).toEqual([true, true, true]);
    expect(areKeys(own)).toBe(false);
  });
});

describe('any body and secret', () => {
  // HMAC fills short keys up with zeros, so a key and the same with U+0000 behind it are one key.
  const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter(isStorableText);
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new Uint8Array(array));
  const nowSeconds = NOW_SECONDS;

  it('what is signed holds, as text and as bytes', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), secret, (text, key) => {
      const headers = sign(text, { secret: key, nowSeconds });
      const encoded = new TextEncoder().encode(text);
      expect(sign(encoded, { secret: key, nowSeconds })).toEqual(headers);
      expect(issueOf(encoded, headers, { secrets: [key], nowSeconds })).toBeUndefined();
    });
    fc.assert(property);
  });

  it('one changed byte does not hold, and one byte more or less does not', () => {
    const property = fc.property(bytes, secret, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, key, at, by) => {
      const headers = sign(body, { secret: key, nowSeconds });
      const longer = new Uint8Array([...body, by]);
      const others = [longer, ...(body.length === 0 ? [] : [changed(body, at % body.length, by), body.slice(1)])];
      for (const other of others) {
        expect(issueOf(other, headers, { secrets: [key], nowSeconds })).toBe('not by any of the secrets');
      }
    });
    fc.assert(property);
  });

  it('one changed digit of the signature does not hold', () => {
    const property = fc.property(bytes, secret, fc.nat(63), (body, key, at) => {
      const headers = sign(body, { secret: key, nowSeconds });
      const hex = [...headers[SIGNATURE_HEADER].slice(3)];
      hex[at] = hex[at] === '0' ? '1' : '0';
      const forged = { ...headers, [SIGNATURE_HEADER]: `v2=${hex.join('')}` };
      expect(issueOf(body, forged, { secrets: [key], nowSeconds })).toBe('not by any of the secrets');
    });
    fc.assert(property);
  });

  it('another secret does not hold; of two, either does', () => {
    const property = fc.property(bytes, fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }), (body, keys) => {
      const [first = '', second = '', third = ''] = keys;
      for (const key of [first, second]) {
        const headers = sign(body, { secret: key, nowSeconds });
        expect(issueOf(body, headers, { secrets: [first, second], nowSeconds })).toBeUndefined();
        expect(issueOf(body, headers, { secrets: [third], nowSeconds })).toBe('not by any of the secrets');
        expect(issueOf(body, headers, { secrets: [], nowSeconds })).toBe('not by any of the secrets');
      }
    });
    fc.assert(property);
  });

  it('the time and the nonce are signed too: another one does not hold', () => {
    const headers = sign('{}', { secret: 'key', nowSeconds });
    for (const other of [{ [TIMESTAMP_HEADER]: String(nowSeconds + 1) }, { [NONCE_HEADER]: `${NONCE}0` }]) {
      const moved = { ...headers, ...other };
      expect(issueOf('{}', moved, { secrets: ['key'], nowSeconds })).toBe('not by any of the secrets');
    }
  });
});

describe('a signature holds for one call', () => {
  const secrets = ['key'];
  const options = { secrets, nowSeconds: NOW_SECONDS };
  const body = '{"transactionID":"1"}';

  it.each<[string, Partial<SignedCall>]>([
    ['the same call', {}],
    ['a captured debit is no void of a round', { direction: 'to-rgs', path: '/operator/rounds/7/void' }],
    ['a call to the wallet is none to the server', { direction: 'to-rgs' }],
    ['another path', { path: '/credit' }],
    ['another query', { path: '/debit?a=1' }],
    ['a path that ends with a slash', { path: '/debit/' }],
    ['another method', { method: 'DELETE' }],
    ['a method in lower case', { method: 'post' }],
    ['a path that takes the body over', { path: `/debit\n${body}`, body: '' }],
  ])('%s', (_, other) => {
    const headers = sign(body, { secret: 'key', nowSeconds: NOW_SECONDS });
    const issue = signatureIssue({ ...CALL, body, ...other }, { headers, ...options });
    expect(issue === undefined).toBe(Object.keys(other).length === 0);
  });

  it('without a nonce of the caller each call has a new one', () => {
    const signed = () => signCall({ ...CALL, body }, { secret: 'key', nowSeconds: NOW_SECONDS });
    const [one, two] = [signed(), signed()];
    expect(one[NONCE_HEADER]).not.toBe(two[NONCE_HEADER]);
    for (const headers of [one, two])
      expect(signatureIssue({ ...CALL, body }, { headers, ...options })).toBe(undefined);
  });
});

describe('the window', () => {
  it.each([
    [-SIGNATURE_WINDOW_SECONDS - 1, 'outside the window'],
    [-SIGNATURE_WINDOW_SECONDS, undefined],
    [SIGNATURE_WINDOW_SECONDS, undefined],
    [SIGNATURE_WINDOW_SECONDS + 1, 'outside the window'],
  ])('read %d seconds after it was signed: %s', (seconds, issue) => {
    expect(SIGNATURE_WINDOW_SECONDS).toBe(300);
    const headers = sign('{}', { secret: 'key', nowSeconds: NOW_SECONDS });
    expect(issueOf('{}', headers, { secrets: ['key'], nowSeconds: NOW_SECONDS + seconds })).toBe(issue);
  });
});

describe('headers that are no signature', () => {
  const options = { secrets: ['key'], nowSeconds: NOW_SECONDS };
  const issueWith = (more: object) => {
    const headers = sign('', { secret: 'key', nowSeconds: NOW_SECONDS });
    return signatureIssue({ ...CALL, body: '' }, { headers: { ...headers, ...more }, ...options });
  };

  it.each([TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER])('without %s', (name) => {
    expect(issueWith({ [name]: undefined })).toBe('missing');
  });

  it.each([
    ['', ''],
    ['another version', `v1=${'0'.repeat(64)}`],
    ['no version', '0'.repeat(64)],
    ['a digit less', `v2=${'0'.repeat(63)}`],
    ['a digit more', `v2=${'0'.repeat(65)}`],
    ['no hex', `v2=${'g'.repeat(64)}`],
    ['two signatures', `v2=${'0'.repeat(64)}, v2=${'0'.repeat(64)}`],
  ])('malformed: %s', (_, signature) => {
    expect(issueWith({ [SIGNATURE_HEADER]: signature })).toBe('malformed');
  });

  it.each(['', 'now', '-1', '1.5', '1e9', ' 1795262400', '0x10', '1795262400000000'])('malformed time: %j', (time) => {
    expect(issueWith({ [TIMESTAMP_HEADER]: time })).toBe('malformed');
  });

  it.each(['', 'short', 'x'.repeat(15), 'x'.repeat(65), `${NONCE}\n`, `${NONCE} `, `${NONCE}é`])(
    'malformed nonce: %j',
    (nonce) => {
      expect(issueWith({ [NONCE_HEADER]: nonce })).toBe('malformed');
    },
  );
});

it('a page loads this module, and cannot sign', async () => {
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  // The test files share their modules: none of them may get that of a page.
  onTestFinished(() => {
    builtin.mockRestore();
    vi.resetModules();
  });
  vi.resetModules();
  const ofPage: { signCall: typeof signCall } = await import('./signature.ts');
  expect(() => ofPage.signCall({ ...CALL, body: '' }, { secret: 'key', nowSeconds: NOW_SECONDS })).toThrow(
    'node:crypto',
  );
});

function changed(body: Uint8Array<ArrayBuffer>, at: number, by: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(body);
  copy[at] = ((copy[at] ?? 0) + by) % 256;
  return copy;
}
