/** A sessionID has at most this many characters. */
export const MAX_SESSION_ID_CHARACTERS = 256;
/** The largest number of characters in the name of a bet mode. */
export const MAX_MODE_CHARACTERS = 64;
/** The largest event in bytes of UTF-8: games store a snapshot of their state. */
export const MAX_EVENT_BYTES = 8192;
/** An Idempotency-Key has at most this many characters. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 128;
/** The version of a client has at most this many characters. */
export const MAX_CLIENT_VERSION_CHARACTERS = 128;

/** With the u flag a surrogate matches only when its other half is missing. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns whether a text has between 1 and `max` characters, counted in Unicode code points: an
 * emoji is one.
 */
export function isWithinCharacters(text: string, max: number): boolean {
  // A code point takes at most two units, so a longer text need not be counted.
  if (text.length === 0 || text.length > max * 2) return false;
  return text.length <= max || Array.from(text).length <= max;
}

/** Returns whether a text has between 1 and `max` bytes in UTF-8. */
export function isWithinBytes(text: string, max: number): boolean {
  // A unit of UTF-16 takes at least one byte, so a longer text need not be encoded.
  return text !== '' && text.length <= max && new TextEncoder().encode(text).length <= max;
}

/**
 * Returns whether a text can be written as UTF-8 and read back the same: it holds no half of a
 * surrogate pair.
 */
export function isWellFormedText(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/**
 * Returns whether a text store can hold the text as it is: it is well formed, and holds no U+0000,
 * which PostgreSQL refuses.
 */
export function isStorableText(text: string): boolean {
  return isWellFormedText(text) && !text.includes('\u0000');
}
