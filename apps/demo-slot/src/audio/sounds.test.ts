import { describe, expect, it } from 'vitest';
import { CUES } from './cues.ts';
import { MUSIC } from './music.ts';
import { peakOf, rmsOf, SAMPLE_RATE, type Stereo } from './samples.ts';

const decibels = (level: number) => 20 * Math.log10(level);
const secondsOf = ({ left }: Stereo) => left.length / SAMPLE_RATE;

/** Returns the difference between neighbouring samples, at its largest. */
function steepest(channel: Float32Array): number {
  let most = 0;
  for (let i = 1; i < channel.length; i++) most = Math.max(most, Math.abs((channel[i] ?? 0) - (channel[i - 1] ?? 0)));
  return most;
}

function expectSound(samples: Stereo): void {
  expect(samples.right).toHaveLength(samples.left.length);
  expect(samples.left.every(Number.isFinite) && samples.right.every(Number.isFinite)).toBe(true);
  expect(peakOf(samples)).toBeLessThanOrEqual(1);
}

describe.each(Object.entries(CUES))('the cue %s', (_name, { loops, make }) => {
  const samples = make();

  it('is a sound within bounds, neither silent nor clipped', () => {
    expectSound(samples);
    expect(decibels(rmsOf(samples))).toBeGreaterThan(-38);
    expect(decibels(rmsOf(samples))).toBeLessThan(-6);
    expect(secondsOf(samples)).toBeLessThan(5);
  });

  it('is the same each time', () => {
    const again = make();
    expect(again.left.every((sample, i) => sample === samples.left[i])).toBe(true);
  });

  it(loops ? 'has a seam like any other moment' : 'ends in silence', () => {
    const { left } = samples;
    const [first = 0, last = 0] = [left[0], left.at(-1)];
    if (loops) expect(Math.abs(first - last)).toBeLessThanOrEqual(steepest(left));
    else expect(Math.abs(last)).toBeLessThan(0.001);
  });
});

describe.each(Object.entries(MUSIC))('the music %s', (_name, make) => {
  const samples = make();

  it('is long enough to go round unnoticed, and stays in the background', () => {
    expectSound(samples);
    expect(secondsOf(samples)).toBeGreaterThan(15);
    expect(decibels(rmsOf(samples))).toBeGreaterThan(-30);
    expect(decibels(rmsOf(samples))).toBeLessThan(-16);
  });

  it('has a seam like any other moment', () => {
    for (const channel of [samples.left, samples.right]) {
      expect(Math.abs((channel[0] ?? 0) - (channel.at(-1) ?? 0))).toBeLessThanOrEqual(steepest(channel));
    }
  });

  it('is stereo', () => {
    expect(samples.left).not.toEqual(samples.right);
  });
});

it('greater wins are louder', () => {
  const [line, big, epic] = [CUES.lineWin, CUES.bigWin, CUES.epicWin].map(({ make }) => rmsOf(make()));
  expect(big).toBeGreaterThan(line ?? 1);
  expect(epic).toBeGreaterThan(big ?? 1);
});
