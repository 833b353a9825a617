import { peakOf, SAMPLE_RATE, type Stereo, samplesIn } from './samples.ts';

/**
 * Schroeder's reverberator: four parallel combs, then two all-passes. Delays in seconds, without a
 * common divisor.
 */
const COMBS = [0.0297, 0.0371, 0.0411, 0.0437];
const ALL_PASSES = [0.005, 0.0017];
const FEEDBACK = 0.78;
const ALL_PASS_GAIN = 0.7;
/** The right channel's delays are longer by this factor, which makes the sound wide. */
const SPREAD = 1.017;

/** A part stands in the mix at this place. `pan` goes from -1, left, to 1, right. */
type Place = { readonly at: number; readonly gain?: number; readonly pan?: number };

type Finish = {
  /** Scales the result so that this is its highest sample. */
  readonly peak: number;
  /** The share of reverberation. */
  readonly room?: number;
};

/**
 * Mixes parts on one time line. In a looping score a sound that rings beyond the end continues at
 * the start, so that the seam is not audible.
 */
export class Score {
  readonly #left: Float32Array<ArrayBuffer>;
  readonly #right: Float32Array<ArrayBuffer>;
  readonly #loops: boolean;

  constructor({ seconds, loops = false }: { seconds: number; loops?: boolean }) {
    this.#left = new Float32Array(samplesIn(seconds));
    this.#right = new Float32Array(samplesIn(seconds));
    this.#loops = loops;
  }

  /** `at` is in seconds from the start. A score without a loop cuts what rings beyond its end. */
  add(part: Float32Array, { at, gain = 1, pan = 0 }: Place): this {
    const length = this.#left.length;
    // The power is equal, so that a sound in the middle is not louder than at the side.
    const angle = ((pan + 1) * Math.PI) / 4;
    const [toLeft, toRight] = [gain * Math.cos(angle), gain * Math.sin(angle)];
    let place = Math.round(at * SAMPLE_RATE);
    for (let i = 0; i < part.length; i++, place++) {
      if (place >= length) {
        if (!this.#loops) break;
        place -= length;
      }
      const sample = part[i] ?? 0;
      this.#left[place] = (this.#left[place] ?? 0) + sample * toLeft;
      this.#right[place] = (this.#right[place] ?? 0) + sample * toRight;
    }
    return this;
  }

  /** Returns the mix with reverberation, soft limiting and the given peak. */
  finish({ peak, room = 0 }: Finish): Stereo {
    const dry = { left: this.#left, right: this.#right };
    const mix = room > 0 ? reverberated(dry, { share: room, loops: this.#loops }) : dry;
    const loudest = peakOf(mix) || 1;
    // A little overdrive rounds the peaks and raises the rest.
    const drive = 1.4 / loudest;
    const scale = peak / Math.tanh(1.4);
    for (const channel of [mix.left, mix.right]) {
      for (let i = 0; i < channel.length; i++) channel[i] = scale * Math.tanh(drive * (channel[i] ?? 0));
      if (!this.#loops) fadeOut(channel);
    }
    return mix;
  }
}

/** Fades the last hundredth of a second, so that nothing ends with a click. */
function fadeOut(channel: Float32Array): void {
  const length = Math.min(channel.length, samplesIn(0.01));
  for (let i = 0; i < length; i++) {
    const place = channel.length - 1 - i;
    channel[place] = ((channel[place] ?? 0) * i) / length;
  }
}

/**
 * A `share` of 0 is dry, 1 is reverberation alone. In a loop the reverberation of the end continues
 * at the start.
 */
function reverberated({ left, right }: Stereo, { share, loops }: { share: number; loops: boolean }): Stereo {
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

/**
 * A loop runs twice. The second run is kept, because it starts with the reverberation of the first.
 */
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
