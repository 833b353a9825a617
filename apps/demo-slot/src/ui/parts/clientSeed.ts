/** A client seed has 1 to so many characters. */
export const MAX_SEED_CHARACTERS = 64;

const NOT_ALLOWED = /[\p{Cc}\p{Surrogate}]/u;
const RANDOM_BYTES = 18;

/** Returns whether the server takes the text: without control characters and half surrogate pairs. */
export function isClientSeed(text: string): boolean {
  const characters = [...text].length;
  return characters >= 1 && characters <= MAX_SEED_CHARACTERS && !NOT_ALLOWED.test(text);
}

/** Makes a client seed of the browser's own randomness, so that no server can have chosen it. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
