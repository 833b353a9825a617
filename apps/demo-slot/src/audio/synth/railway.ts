import { noiseSource, SAMPLE_RATE, samplesIn } from './samples.ts';

const TURN = 2 * Math.PI;

type Steam = {
  readonly seconds: number;
  /** Middle of the hiss in hertz. */
  readonly pitch: number;
  /** Seconds until it is loudest. */
  readonly attack: number;
  readonly seed?: number;
};

/** A puff of steam: noise through a resonance, swelling and fading. */
export function steam({ seconds, pitch, attack, seed = 5 }: Steam): Float32Array {
  const out = new Float32Array(samplesIn(seconds));
  const noise = noiseSource(seed);
  const f = 2 * Math.sin((Math.PI * pitch) / SAMPLE_RATE);
  let low = 0;
  let band = 0;
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE;
    // Chamberlin's state variable filter.
    low += f * band;
    band += f * (noise() - low - 0.9 * band);
    out[i] = Math.min(1, t / attack) * Math.exp((-4.5 * Math.max(0, t - attack)) / (seconds - attack)) * band;
  }
  return out;
}

/** A locomotive's whistle: pipes that slide into tune, with breath. */
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

/** A wheel over a rail joint, or a reel into its stop: a thud, and wood and iron that answer. */
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

/** A switch of brass: a tick with a ring. */
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
