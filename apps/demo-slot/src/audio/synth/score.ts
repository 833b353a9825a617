import { reverberated } from './reverb.ts';
import { peakOf, SAMPLE_RATE, type Stereo, samplesIn } from './samples.ts';

/** Where a part stands in the mix. `pan`: -1 left to 1 right. */
type Place = { readonly at: number; readonly gain?: number; readonly pan?: number };

type Finish = {
  /** The highest sample of the result. */
  readonly peak: number;
  /** Share of reverberation. */
  readonly room?: number;
};

/**
 * Parts mixed on one time line. A looping score wraps: what rings beyond its end is heard at its
 * start, so that the seam of the loop cannot be heard.
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

  /** `at` in seconds from the start. What a score that does not loop has no room for is cut. */
  add(part: Float32Array, { at, gain = 1, pan = 0 }: Place): this {
    const length = this.#left.length;
    // Equal power, so that a sound in the middle is not louder than at the side.
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

  /** The mix in its room, softly limited, at the peak that is asked for. */
  finish({ peak, room = 0 }: Finish): Stereo {
    const dry = { left: this.#left, right: this.#right };
    const mix = room > 0 ? reverberated(dry, { share: room, loops: this.#loops }) : dry;
    const loudest = peakOf(mix) || 1;
    // A little overdriven: peaks are rounded off and the body comes up.
    const drive = 1.4 / loudest;
    const scale = peak / Math.tanh(1.4);
    for (const channel of [mix.left, mix.right]) {
      for (let i = 0; i < channel.length; i++) channel[i] = scale * Math.tanh(drive * (channel[i] ?? 0));
      if (!this.#loops) fadeOut(channel);
    }
    return mix;
  }
}

/** The last hundredth of a second, so that nothing ends with a click. */
function fadeOut(channel: Float32Array): void {
  const length = Math.min(channel.length, samplesIn(0.01));
  for (let i = 0; i < length; i++) {
    const place = channel.length - 1 - i;
    channel[place] = ((channel[place] ?? 0) * i) / length;
  }
}
