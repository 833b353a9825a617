import { type Stereo, samplesIn } from './samples.ts';

/**
 * Schroeder's reverberator: four combs beside each other, then two all-passes. Delays in seconds,
 * without a common measure.
 */
const COMBS = [0.0297, 0.0371, 0.0411, 0.0437];
const ALL_PASSES = [0.005, 0.0017];
const FEEDBACK = 0.78;
const ALL_PASS_GAIN = 0.7;
/** The right channel's room is this much larger, which is what makes it wide. */
const SPREAD = 1.017;

/**
 * `share`: 0 dry to 1 reverberation alone. A loop's reverberation begins with what rings from its
 * end.
 */
export function reverberated({ left, right }: Stereo, { share, loops }: { share: number; loops: boolean }): Stereo {
  return {
    left: channelInRoom(left, { share, loops, size: 1 }),
    right: channelInRoom(right, { share, loops, size: SPREAD }),
  };
}

function channelInRoom(
  dry: Float32Array,
  { share, loops, size }: { share: number; loops: boolean; size: number },
): Float32Array<ArrayBuffer> {
  const wet = new Float32Array(dry.length);
  for (const delay of COMBS) addComb(wet, dry, { delay: samplesIn(delay * size), loops });
  for (const delay of ALL_PASSES) allPass(wet, { delay: samplesIn(delay * size), loops });
  const mix = new Float32Array(dry.length);
  for (let i = 0; i < dry.length; i++) mix[i] = (1 - share) * (dry[i] ?? 0) + share * (wet[i] ?? 0);
  return mix;
}

type Line = { readonly delay: number; readonly loops: boolean };

/** Runs a loop twice and keeps the second time, in which the first one's end still rings. */
function addComb(into: Float32Array, input: Float32Array, { delay, loops }: Line): void {
  const ring = new Float32Array(delay);
  let place = 0;
  for (let pass = loops ? 0 : 1; pass < 2; pass++) {
    for (let i = 0; i < input.length; i++) {
      const echo = ring[place] ?? 0;
      ring[place] = (input[i] ?? 0) + echo * FEEDBACK;
      place = place + 1 === delay ? 0 : place + 1;
      if (pass === 1) into[i] = (into[i] ?? 0) + echo / COMBS.length;
    }
  }
}

function allPass(channel: Float32Array, { delay, loops }: Line): void {
  const ring = new Float32Array(delay);
  let place = 0;
  for (let pass = loops ? 0 : 1; pass < 2; pass++) {
    for (let i = 0; i < channel.length; i++) {
      const delayed = ring[place] ?? 0;
      const input = channel[i] ?? 0;
      ring[place] = input + delayed * ALL_PASS_GAIN;
      place = place + 1 === delay ? 0 : place + 1;
      if (pass === 1) channel[i] = delayed - input * ALL_PASS_GAIN;
    }
  }
}
