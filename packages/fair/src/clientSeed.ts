export const MAX_CLIENT_SEED_CHARACTERS = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a client seed holds none of them.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns whether the text can be a client seed: 1 to 64 code points, without control characters
 * and without half a surrogate pair.
 */
export function isClientSeed(text: string): boolean {
  const characters = [...text].length;
  if (characters < 1 || characters > MAX_CLIENT_SEED_CHARACTERS) return false;
  return !CONTROL.test(text) && !LONE_SURROGATE.test(text);
}

const RANDOM_BYTES = 18;

/** Makes a client seed of 144 bits of the browser's own randomness: 24 letters, digits, - and _. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
