/** Samples per second. They are enough for steam, bells and brass; 64,000 would double the work. */
export const SAMPLE_RATE = 32_000;

/** Has two channels of equal length. Each sample is within ±1. */
export type Stereo = { readonly left: Float32Array<ArrayBuffer>; readonly right: Float32Array<ArrayBuffer> };

export function samplesIn(seconds: number): number {
  return Math.round(seconds * SAMPLE_RATE);
}

/**
 * Returns the frequency of a note in hertz. `note` counts semitones above the D below middle C
 * (D3).
 */
export function hertz(note: number): number {
  return 146.832 * 2 ** (note / 12);
}

/** Makes white noise within ±1, the same at each start: xorshift32. */
export function noiseSource(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2_147_483_648;
  };
}

/** Returns the highest absolute sample. */
export function peakOf({ left, right }: Stereo): number {
  let peak = 0;
  for (let i = 0; i < left.length; i++) {
    peak = Math.max(peak, Math.abs(left[i] ?? 0), Math.abs(right[i] ?? 0));
  }
  return peak;
}

/** Returns loudness as the root of the mean square over both channels. */
export function rmsOf({ left, right }: Stereo): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) ** 2 + (right[i] ?? 0) ** 2;
  return Math.sqrt(sum / (2 * left.length));
}
