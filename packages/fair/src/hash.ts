/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), synchronous and without a library: the browser's own are
 * asynchronous, and a page that is not served by https has none.
 */

const K = new Uint32Array(64);
const START = new Uint32Array(8);
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/** The constants are the first 32 bits of the fractions of square and cube roots of primes. */
for (let number = 2, found = 0; found < 64; number += 1) {
  let isPrime = true;
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) START[found] = (Math.sqrt(number) % 1) * 2 ** 32;
  K[found] = (Math.cbrt(number) % 1) * 2 ** 32;
  found += 1;
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function compress(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15] as number, words[at - 2] as number];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] as number) + s0 + (words[at - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[at] as number) + (words[at] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + word;
}

/** Returns the 32 bytes of the hash. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(start + at * 4);
    compress(state, words);
  }
  const hash = new Uint8Array(HASH_BYTES);
  const out = new DataView(hash.buffer);
  for (const [at, word] of state.entries()) out.setUint32(at * 4, word);
  return hash;
}

/** Returns the 32 bytes of HMAC-SHA-256. The key has at most 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const inner = new Uint8Array(BLOCK_BYTES + message.length).fill(0x36, 0, BLOCK_BYTES);
  const outer = new Uint8Array(BLOCK_BYTES + HASH_BYTES).fill(0x5c, 0, BLOCK_BYTES);
  for (const [at, byte] of key.entries()) {
    inner[at] = 0x36 ^ byte;
    outer[at] = 0x5c ^ byte;
  }
  inner.set(message, BLOCK_BYTES);
  outer.set(sha256(inner), BLOCK_BYTES);
  return sha256(outer);
}

/** Returns two hexadecimal digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads hexadecimal digits, two for each byte. */
export function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
