/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), synchronous and without a library: the browser's own
 * are asynchronous, and a page that is not served by https has none. The hot loops reuse their
 * buffers and have neither iterators nor closures: one draw takes about 2 µs.
 */

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const K = new Int32Array(64);
const START = new Int32Array(8);

/** The constants are the first 32 bits of the fractions of square and cube roots of primes. */
for (let number = 2, found = 0; found < 64; number += 1) {
  let isPrime = true;
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) START[found] = (Math.sqrt(number) % 1) * 2 ** 32;
  K[found] = (Math.cbrt(number) % 1) * 2 ** 32;
  found += 1;
}

const state = new Int32Array(8);
const words = new Int32Array(64);

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Takes the block of `bytes` that starts at `at` into `state`. */
function compress(bytes: Uint8Array, at: number): void {
  const w = words as unknown as number[] & Int32Array;
  const k = K as unknown as number[] & Int32Array;
  const b = bytes as unknown as number[] & Uint8Array;
  const h = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0, from = at; t < 16; t += 1, from += 4) {
    w[t] =
      ((b[from] as number) << 24) |
      ((b[from + 1] as number) << 16) |
      ((b[from + 2] as number) << 8) |
      (b[from + 3] as number);
  }
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15] as number;
    const y = w[t - 2] as number;
    const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
    const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
  }
  let h0 = h[0];
  let h1 = h[1];
  let h2 = h[2];
  let h3 = h[3];
  let h4 = h[4];
  let h5 = h[5];
  let h6 = h[6];
  let h7 = h[7];
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotated(h4, 6) ^ rotated(h4, 11) ^ rotated(h4, 25);
    const t1 = (h7 + s1 + ((h4 & h5) ^ (~h4 & h6)) + (k[t] as number) + (w[t] as number)) | 0;
    const s0 = rotated(h0, 2) ^ rotated(h0, 13) ^ rotated(h0, 22);
    const t2 = (s0 + ((h0 & h1) ^ (h0 & h2) ^ (h1 & h2))) | 0;
    h7 = h6;
    h6 = h5;
    h5 = h4;
    h4 = (h3 + t1) | 0;
    h3 = h2;
    h2 = h1;
    h1 = h0;
    h0 = (t1 + t2) | 0;
  }
  h[0] += h0;
  h[1] += h1;
  h[2] += h2;
  h[3] += h3;
  h[4] += h4;
  h[5] += h5;
  h[6] += h6;
  h[7] += h7;
}

/**
 * Takes the last bytes of a message into `state`, `before` bytes of which it holds, and returns the
 * hash.
 */
function finish(bytes: Uint8Array, before: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const bits = (before + bytes.length) * 8;
  writeWord(padded, padded.length - 8, bits / 2 ** 32);
  writeWord(padded, padded.length - 4, bits);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) compress(padded, at);
  const hash = new Uint8Array(HASH_BYTES);
  for (let index = 0; index < 8; index += 1) writeWord(hash, index * 4, state[index] as number);
  return hash;
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

/** Returns the 32 bytes of the hash. */
export function sha256(bytes: Uint8Array): Uint8Array {
  state.set(START);
  return finish(bytes, 0);
}

/** Returns the 32 bytes of HMAC-SHA-256. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmacWith(key)(message);
}

/** Returns HMAC-SHA-256 under one key, which is worked into two states once. */
export function hmacWith(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  const short = key.length > BLOCK_BYTES ? sha256(key) : key;
  const inner = keyed(short, 0x36);
  const outer = keyed(short, 0x5c);
  return (message) => {
    state.set(inner);
    const hash = finish(message, BLOCK_BYTES);
    state.set(outer);
    return finish(hash, BLOCK_BYTES);
  };
}

function keyed(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad);
  for (let index = 0; index < key.length; index += 1) block[index] = pad ^ (key[index] as number);
  state.set(START);
  compress(block, 0);
  return state.slice();
}

/** Returns two hexadecimal digits for each byte. */
export function hex(bytes: Uint8Array): string {
  let digits = '';
  for (let index = 0; index < bytes.length; index += 1) {
    digits += (256 + (bytes[index] as number)).toString(16).slice(1);
  }
  return digits;
}

/** Reads hexadecimal digits of either case, two for each byte. */
export function bytesOf(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (digitOf(digits, index * 2) << 4) | digitOf(digits, index * 2 + 1);
  }
  return bytes;
}

/** A letter's code ends in its place in the alphabet: 1 for a. */
function digitOf(digits: string, at: number): number {
  const code = digits.charCodeAt(at);
  return (code & 15) + (code > 64 ? 9 : 0);
}
