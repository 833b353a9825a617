const CLIENT_SEED = /^[^\p{Control}\p{Surrogate}]{1,64}$/u;

/**
 * Returns whether the text can be a client seed: 1 to 64 code points, without control characters
 * and without half a surrogate pair.
 */
export function isClientSeed(text: string): boolean {
  return CLIENT_SEED.test(text);
}
