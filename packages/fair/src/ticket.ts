import { hmacWith } from './hash.ts';

/** The format of messages and documents; another scheme gets another name. */
export const FORMAT = 'roundhouse-fair-1';

/**
 * A draw is of these. `mode` is in upper case; `nonce` counts the plays under a server seed from 0.
 */
export type DrawFacts = { game: string; version: string; mode: string; clientSeed: string; nonce: number };

/** One attempt of a draw. `value` is accepted when it is below `limit`. */
export type Try = { message: string; hmac: Uint8Array; value: bigint; limit: bigint; accepted: boolean };

/**
 * Returns HMAC-SHA-256 of a message under a server seed: of the 32 bytes, a draw reads the first 8
 * before it needs the next ones.
 */
export type Hmac = (message: string) => Uint8Array;

const RANGE = 2n ** 64n;
const text = new TextEncoder();

/**
 * Returns the message of an attempt, which counts from 0. The client seed comes last, since it may
 * contain a colon; the names before it contain none.
 */
export function messageOf({ game, version, mode, nonce, clientSeed }: DrawFacts, attempt: number): string {
  return `${FORMAT}:${game}:${version}:${mode}:${nonce}:${attempt}:${clientSeed}`;
}

/**
 * Returns the largest multiple of the total weight in the range: a value from there on is rejected.
 */
export function limitOf(totalWeight: bigint, range: bigint = RANGE): bigint {
  return range - (range % totalWeight);
}

/**
 * Returns the ticket of a value, or undefined when the value is rejected. Below the limit each
 * ticket has the same number of values: limit ÷ total weight.
 */
export function ticketOfValue(value: bigint, totalWeight: bigint, limit: bigint): bigint | undefined {
  return value < limit ? value % totalWeight : undefined;
}

/**
 * Works a server seed in, once for many draws. A server may use the HMAC of its platform instead.
 */
export function hmacUnder(serverSeed: Uint8Array): Hmac {
  const hmac = hmacWith(serverSeed);
  return (message) => hmac(utf8(message));
}

/**
 * Draws a ticket from 0 up to, not including, `totalWeight` (1 to 2^64−1). Each ticket is equally
 * likely, since rejection leaves the same number of values to each. `hmac` has the server seed.
 * `onTry` gets each attempt, the accepted one last.
 */
export function ticketOf(hmac: Hmac, facts: DrawFacts, totalWeight: bigint, onTry?: (attempt: Try) => void): bigint {
  const limit = limitOf(totalWeight);
  for (let attempt = 0; ; attempt += 1) {
    const message = messageOf(facts, attempt);
    const bytes = hmac(message);
    const value = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
    const ticket = ticketOfValue(value, totalWeight, limit);
    onTry?.({ message, hmac: bytes, value, limit, accepted: ticket !== undefined });
    if (ticket !== undefined) return ticket;
  }
}

/**
 * Returns the bytes of a text: TextEncoder takes half of the time of a draw, and most messages are
 * ASCII.
 */
function utf8(message: string): Uint8Array {
  const bytes = new Uint8Array(message.length);
  for (let index = 0; index < bytes.length; index += 1) {
    const code = message.charCodeAt(index);
    if (code > 127) return text.encode(message);
    bytes[index] = code;
  }
  return bytes;
}
