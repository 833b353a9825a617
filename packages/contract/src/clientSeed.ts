import { isStorableText, isWithinCharacters } from './text.ts';

/** The largest number of characters in a client seed; the smallest is 1. */
export const MAX_CLIENT_SEED_CHARACTERS = 64;

const CONTROL = /\p{Cc}/u;

/**
 * Returns whether the server accepts the text as a client seed: 1 to 64 code points, without
 * control characters and without half a surrogate pair. The verifier has a separate copy of this
 * rule, since it takes no code from the server; a test compares both.
 */
export function isClientSeed(text: string): boolean {
  return isWithinCharacters(text, MAX_CLIENT_SEED_CHARACTERS) && isStorableText(text) && !CONTROL.test(text);
}
