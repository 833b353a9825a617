export const MAX_CLIENT_SEED_CHARACTERS = 64;

const CLIENT_SEED = /^[^\p{Control}\p{Surrogate}]{1,64}$/u;

/**
 * Returns whether the text can be a client seed: 1 to 64 code points, without control characters
 * and without half a surrogate pair.
 */
export function isClientSeed(text: string): boolean {
  return CLIENT_SEED.test(text);
}

const RANDOM_BYTES = 18;

/** Makes a client seed of 144 bits of the browser's own randomness: 24 letters, digits, - and _. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
