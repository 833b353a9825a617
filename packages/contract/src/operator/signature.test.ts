import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStorableText } from '../text.ts';
import {
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_SECONDS,
  type SignatureHeaders,
  type SignedBody,
  signatureFault,
  signBody,
  TIMESTAMP_HEADER,
} from './signature.ts';

const NOW_SECONDS = 1_795_262_400;

type Vector = { name: string; secret: string; timestamp: string; body: string; signature: string; holds: boolean };

/** The table of the document that operators read, so that it cannot say anything else than the code does. */
function publishedVectors(): Vector[] {
  const text = readFileSync(new URL('../../../../docs/signature.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('## Test vectors');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line.split('|').slice(1, -1);
    const [name = '', secret = '', timestamp = '', body = '', signature = '', holds = ''] = cells.map(cellText);
    return { name, secret, timestamp, body, signature, holds: holds === 'yes' };
  });
}

function cellText(cell: string): string {
  const text = cell.trim();
  return text === '(empty)' ? '' : text.replace(/^`(.*)`$/, '$1');
}

function faultOf(
  body: SignedBody,
  headers: SignatureHeaders,
  { secrets, nowSeconds }: { secrets: string[]; nowSeconds: number },
) {
  const timestamp = headers[TIMESTAMP_HEADER];
  return signatureFault(body, { timestamp, signature: headers[SIGNATURE_HEADER], secrets, nowSeconds });
}

describe('the published test vectors', () => {
  const vectors = publishedVectors();

  it('are there: ASCII, beyond ASCII, the empty body, and some that must fail', () => {
    expect(vectors.filter(({ holds }) => holds).length).toBeGreaterThanOrEqual(3);
    expect(vectors.filter(({ holds }) => !holds).length).toBeGreaterThanOrEqual(1);
    expect(vectors.some(({ body }) => body === '')).toBe(true);
    expect(vectors.some(({ body }) => /[^\x20-\x7e]/.test(body))).toBe(true);
  });

  it.each(vectors)('$name', async ({ secret, timestamp, body, signature, holds }) => {
    const nowSeconds = Number(timestamp);
    const fault = await signatureFault(body, { timestamp, signature, secrets: [secret], nowSeconds });
    expect(fault === undefined).toBe(holds);
    const signed = await signBody(body, { secret, nowSeconds });
    expect(signed[SIGNATURE_HEADER] === signature).toBe(holds);
  });
});

describe('any body and secret', () => {
  // HMAC fills short keys up with zeros, so a key and the same with U+0000 behind it are one key.
  const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter(isStorableText);
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new Uint8Array(array));
  const nowSeconds = NOW_SECONDS;

  it('what is signed holds, as text and as bytes', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'binary' }), secret, async (text, key) => {
      const headers = await signBody(text, { secret: key, nowSeconds });
      const encoded = new TextEncoder().encode(text);
      expect(await signBody(encoded, { secret: key, nowSeconds })).toEqual(headers);
      expect(await faultOf(encoded, headers, { secrets: [key], nowSeconds })).toBeUndefined();
    });
    await fc.assert(property);
  });

  it('one changed byte does not hold, and one byte more or less does not', async () => {
    const property = fc.asyncProperty(
      bytes,
      secret,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (body, key, at, by) => {
        const headers = await signBody(body, { secret: key, nowSeconds });
        const longer = new Uint8Array([...body, by]);
        const others = [longer, ...(body.length === 0 ? [] : [changed(body, at % body.length, by), body.slice(1)])];
        for (const other of others) {
          expect(await faultOf(other, headers, { secrets: [key], nowSeconds })).toBe('not by any of the secrets');
        }
      },
    );
    await fc.assert(property);
  });

  it('one changed digit of the signature does not hold', async () => {
    const property = fc.asyncProperty(bytes, secret, fc.nat(63), async (body, key, at) => {
      const headers = await signBody(body, { secret: key, nowSeconds });
      const hex = [...headers[SIGNATURE_HEADER].slice(3)];
      hex[at] = hex[at] === '0' ? '1' : '0';
      const forged = { ...headers, [SIGNATURE_HEADER]: `v1=${hex.join('')}` };
      expect(await faultOf(body, forged, { secrets: [key], nowSeconds })).toBe('not by any of the secrets');
    });
    await fc.assert(property);
  });

  it('another secret does not hold; of two, either does', async () => {
    const property = fc.asyncProperty(
      bytes,
      fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }),
      async (body, keys) => {
        const [first = '', second = '', third = ''] = keys;
        for (const key of [first, second]) {
          const headers = await signBody(body, { secret: key, nowSeconds });
          expect(await faultOf(body, headers, { secrets: [first, second], nowSeconds })).toBeUndefined();
          expect(await faultOf(body, headers, { secrets: [third], nowSeconds })).toBe('not by any of the secrets');
          expect(await faultOf(body, headers, { secrets: [], nowSeconds })).toBe('not by any of the secrets');
        }
      },
    );
    await fc.assert(property);
  });

  it('the time is signed too: another time of the window does not hold', async () => {
    const headers = await signBody('{}', { secret: 'key', nowSeconds });
    const moved = { ...headers, [TIMESTAMP_HEADER]: String(nowSeconds + 1) };
    expect(await faultOf('{}', moved, { secrets: ['key'], nowSeconds })).toBe('not by any of the secrets');
  });
});

describe('the window', () => {
  it.each([
    [-SIGNATURE_WINDOW_SECONDS - 1, 'outside the window'],
    [-SIGNATURE_WINDOW_SECONDS, undefined],
    [SIGNATURE_WINDOW_SECONDS, undefined],
    [SIGNATURE_WINDOW_SECONDS + 1, 'outside the window'],
  ])('read %d seconds after it was signed: %s', async (seconds, fault) => {
    expect(SIGNATURE_WINDOW_SECONDS).toBe(300);
    const headers = await signBody('{}', { secret: 'key', nowSeconds: NOW_SECONDS });
    expect(await faultOf('{}', headers, { secrets: ['key'], nowSeconds: NOW_SECONDS + seconds })).toBe(fault);
  });
});

describe('headers that are no signature', () => {
  const secrets = ['key'];
  const timestamp = String(NOW_SECONDS);

  it('missing ones are missing', async () => {
    const { [SIGNATURE_HEADER]: signature } = await signBody('', { secret: 'key', nowSeconds: NOW_SECONDS });
    for (const headers of [
      { timestamp: undefined, signature },
      { timestamp, signature: undefined },
    ]) {
      expect(await signatureFault('', { ...headers, secrets, nowSeconds: NOW_SECONDS })).toBe('missing');
    }
  });

  it.each([
    ['', ''],
    ['another version', `v2=${'0'.repeat(64)}`],
    ['no version', '0'.repeat(64)],
    ['a digit less', `v1=${'0'.repeat(63)}`],
    ['a digit more', `v1=${'0'.repeat(65)}`],
    ['no hex', `v1=${'g'.repeat(64)}`],
    ['two signatures', `v1=${'0'.repeat(64)}, v1=${'0'.repeat(64)}`],
  ])('malformed: %s', async (_, signature) => {
    expect(await signatureFault('', { timestamp, signature, secrets, nowSeconds: NOW_SECONDS })).toBe('malformed');
  });

  it.each(['', 'now', '-1', '1.5', '1e9', ' 1795262400', '0x10', '1795262400000000'])(
    'malformed time: %j',
    async (time) => {
      const signature = `v1=${'0'.repeat(64)}`;
      expect(await signatureFault('', { timestamp: time, signature, secrets, nowSeconds: NOW_SECONDS })).toBe(
        'malformed',
      );
    },
  );
});

function changed(body: Uint8Array<ArrayBuffer>, at: number, by: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(body);
  copy[at] = ((copy[at] ?? 0) + by) % 256;
  return copy;
}
