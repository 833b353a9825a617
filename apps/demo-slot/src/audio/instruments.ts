import { noiseSource, SAMPLE_RATE, samplesIn } from './samples.ts';

const TURN = 2 * Math.PI;

type Partial = {
  readonly ratio: number;
  readonly level: number /** Seconds until it is 60 dB down. */;
  readonly decay: number;
};
type Note = { readonly frequency: number; readonly seconds: number };

/** 60 dB as a natural logarithm. */
const SIXTY_DB = 6.9;

/** Makes the sound of a struck body: partials that start together and fade at different speeds. */
function struck({ frequency, seconds }: Note, partials: readonly Partial[]): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const attack = samplesIn(0.002);
  for (const { ratio, level, decay } of partials) {
    const step = (TURN * frequency * ratio) / SAMPLE_RATE;
    if (step > Math.PI) continue;
    const fade = Math.exp(-SIXTY_DB / (decay * SAMPLE_RATE));
    let envelope = level;
    for (let i = 0; i < out.length; i++) {
      out[i] = (out[i] ?? 0) + envelope * Math.min(1, i / attack) * Math.sin(step * i);
      envelope *= fade;
    }
  }
  return out;
}

export function bell({ frequency, seconds }: Note): Float32Array {
  return struck({ frequency, seconds }, [
    { ratio: 0.5, level: 0.25, decay: seconds },
    { ratio: 1, level: 0.6, decay: seconds },
    { ratio: 2.0, level: 0.35, decay: seconds * 0.7 },
    { ratio: 2.76, level: 0.25, decay: seconds * 0.45 },
    { ratio: 5.4, level: 0.12, decay: seconds * 0.25 },
    { ratio: 8.93, level: 0.06, decay: seconds * 0.12 },
  ]);
}

/** Makes a small and clear sound, for melodies. */
export function celesta({ frequency, seconds }: Note): Float32Array {
  return struck({ frequency, seconds }, [
    { ratio: 1, level: 0.7, decay: seconds },
    { ratio: 3.0, level: 0.12, decay: seconds * 0.4 },
    { ratio: 4.0, level: 0.2, decay: seconds * 0.25 },
    { ratio: 10.1, level: 0.04, decay: seconds * 0.06 },
  ]);
}

/**
 * Makes the sound of a kettledrum: the skin tightens when struck, so the pitch falls as it rings.
 */
export function timpani({ frequency, seconds }: Note): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(77);
  let phase = 0;
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (TURN * frequency * (1 + 0.35 * Math.exp(-t * 22))) / SAMPLE_RATE;
    const body = Math.exp((-t * SIXTY_DB) / seconds) * (Math.sin(phase) + 0.35 * Math.sin(phase * 1.5));
    out[i] = 0.7 * body + 0.25 * noise() * Math.exp(-t * 90);
  }
  return out;
}

/** Makes the sound of brass: the higher harmonics start later and end earlier. */
export function brass({ frequency, seconds }: Note): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const harmonics = Math.min(12, Math.floor(SAMPLE_RATE / 2 / frequency));
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    const open = Math.min(1, t / 0.07) * (1 - 0.4 * (t / seconds));
    const envelope = Math.min(1, t / 0.03) * Math.min(1, (seconds - t) / 0.12);
    const phase = (TURN * frequency * i) / SAMPLE_RATE + 0.02 * Math.sin(TURN * 5 * t);
    let sum = 0;
    let level = 1;
    for (let harmonic = 1; harmonic <= harmonics; harmonic++) {
      sum += level * Math.sin(phase * harmonic);
      level *= 0.35 + 0.42 * open;
    }
    out[i] = 0.35 * envelope * sum;
  }
  return out;
}

/**
 * Makes the sound of a string pad: three detuned voices with slow attack and release. `seconds`
 * includes one second of release.
 */
export function pad({ frequency, seconds }: Note): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  for (const [voice, detune] of [0.9965, 1, 1.0037].entries()) {
    for (let i = 0; i < out.length; i++) {
      const t = i / SAMPLE_RATE;
      const phase = (TURN * frequency * detune * i) / SAMPLE_RATE + 0.05 * Math.sin(TURN * (0.4 + 0.13 * voice) * t);
      const tone =
        Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.18 * Math.sin(3 * phase) + 0.08 * Math.sin(4 * phase);
      out[i] = (out[i] ?? 0) + 0.22 * Math.min(1, t / 1.2) * Math.min(1, (seconds - t) / 1) * tone;
    }
  }
  return out;
}

/** Makes the sound of a string tremolo, for tension. */
export function tremolo({ frequency, seconds }: Note): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    const phase = (TURN * frequency * i) / SAMPLE_RATE;
    const bow = 0.65 + 0.35 * Math.sin(TURN * 13 * t);
    out[i] = 0.3 * bow * (Math.sin(phase) + 0.5 * Math.sin(2.003 * phase) + 0.3 * Math.sin(3.005 * phase));
  }
  return out;
}

/** Makes the sound of a plucked low string, for basses. */
export function bass({ frequency, seconds }: Note): Float32Array {
  return struck({ frequency, seconds }, [
    { ratio: 1, level: 0.8, decay: seconds },
    { ratio: 2, level: 0.3, decay: seconds * 0.5 },
    { ratio: 3, level: 0.12, decay: seconds * 0.3 },
  ]);
}

type Steam = {
  readonly seconds: number;
  /** The middle of the hiss is here, in hertz. */
  readonly pitch: number;
  /** The seconds until it is loudest. */
  readonly attack: number;
  readonly seed?: number;
};

/** Makes the sound of a puff of steam: noise through a resonance, swelling and fading. */
export function steam({ seconds, pitch, attack, seed = 5 }: Steam): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(seed);
  const f = 2 * Math.sin((Math.PI * pitch) / SAMPLE_RATE);
  let low = 0;
  let band = 0;
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    // This is Chamberlin's state variable filter.
    low += f * band;
    band += f * (noise() - low - 0.9 * band);
    out[i] = Math.min(1, t / attack) * Math.exp((-4.5 * Math.max(0, t - attack)) / (seconds - attack)) * band;
  }
  return out;
}

/**
 * Makes the sound of a locomotive's whistle: pipes that slide up to their pitch, with the noise of
 * air.
 */
export function whistle({ pipes, seconds }: { pipes: readonly number[]; seconds: number }): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(31);
  const phases = pipes.map(() => 0);
  let breath = 0;
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    const scoop = 1 - 0.09 * Math.exp(-t * 14) - 0.06 * Math.max(0, 1 - (seconds - t) / 0.18);
    const envelope = Math.min(1, t / 0.06) * Math.min(1, (seconds - t) / 0.2);
    breath += 0.25 * (noise() - breath);
    let sum = 0.35 * breath;
    for (const [pipe, frequency] of pipes.entries()) {
      const phase =
        (phases[pipe] ?? 0) + (TURN * frequency * scoop * (1 + 0.003 * Math.sin(TURN * 6 * t))) / SAMPLE_RATE;
      phases[pipe] = phase;
      sum += (Math.sin(phase) + 0.3 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase)) / pipes.length;
    }
    out[i] = 0.8 * envelope * sum;
  }
  return out;
}

/**
 * Makes the sound of a wheel on a rail joint, or a reel that stops: a thud with some wood and iron.
 */
export function clunk({ pitch, seconds }: { pitch: number; seconds: number }): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(Math.round(pitch));
  let phase = 0;
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    phase += (TURN * pitch * (1 + 1.2 * Math.exp(-t * 60))) / SAMPLE_RATE;
    const thud = Math.sin(phase) * Math.exp(-t * 26);
    const wood = 0.3 * Math.sin(TURN * pitch * 4.1 * t) * Math.exp(-t * 55);
    const iron = 0.12 * Math.sin(TURN * pitch * 11.3 * t) * Math.exp(-t * 38);
    out[i] = 0.8 * thud + wood + iron + 0.4 * noise() * Math.exp(-t * 260);
  }
  return out;
}

/** Makes the sound of a brass switch: a tick with a ring. */
export function click({ pitch, seconds }: { pitch: number; seconds: number }): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(Math.round(pitch) + 2);
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    const ring =
      Math.sin(TURN * pitch * t) * Math.exp(-t * 90) + 0.4 * Math.sin(TURN * pitch * 2.7 * t) * Math.exp(-t * 140);
    out[i] = 0.5 * ring + 0.5 * noise() * Math.exp(-t * 700);
  }
  return out;
}
