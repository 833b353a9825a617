import { hmacSha256 } from './hash.ts';

/** The format of messages and documents; another scheme gets another name. */
export const FORMAT = 'roundhouse-fair-1';

/** A draw is of these. `mode` is in upper case; `nonce` counts the plays under a server seed from 0. */
export type DrawFacts = { game: string; version: string; mode: string; clientSeed: string; nonce: number };

/** One attempt of a draw. */
export type Try = { message: string; hmac: Uint8Array; value: bigint; accepted: boolean };

const RANGE = 2n ** 64n;
const text = new TextEncoder();

/**
 * Returns the message of an attempt, which counts from 0. The client seed stands at the end, since
 * it may hold a colon; the names before it hold none.
 */
export function messageOf({ game, version, mode, nonce, clientSeed }: DrawFacts, attempt: number): string {
  return `${FORMAT}:${game}:${version}:${mode}:${nonce}:${attempt}:${clientSeed}`;
}

/**
 * Draws a ticket from 0 up to, not including, `totalWeight` (1 to 2^64−1). Each ticket is equally
 * likely: a value from the largest multiple of the total weight upwards is rejected.
 */
export function ticketOf(
  serverSeed: Uint8Array,
  facts: DrawFacts,
  totalWeight: bigint,
  onTry?: (attempt: Try) => void,
): bigint {
  const limit = RANGE - (RANGE % totalWeight);
  for (let attempt = 0; ; attempt += 1) {
    const message = messageOf(facts, attempt);
    const hmac = hmacSha256(serverSeed, text.encode(message));
    const value = new DataView(hmac.buffer).getBigUint64(0);
    const accepted = value < limit;
    onTry?.({ message, hmac, value, accepted });
    if (accepted) return value % totalWeight;
  }
}
