import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishMath } from '../make/publish.ts';
import { openMath } from '../read/openMath.ts';
import type { MathMode, MathPackage, Random64 } from '../types.ts';
import { createCryptoRandom } from './random.ts';
import { checkDraws, checkRawOutput, proportionCutoff, repetitionCutoff } from './randomHealth.ts';

let folder: string;
let math: MathPackage;
let mode: MathMode;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-health-'));
  const books = Array.from({ length: 200 }, (_, id) => ({
    id,
    payoutMultiplier: 100,
    events: [{ index: 0, type: 'finalWin', amount: 100 }],
    weight: BigInt(1 + (id % 7)),
  }));
  const one = books.slice(0, 1);
  await publishMath(path.join(folder, 'math'), [
    { name: 'base', cost: 1, books },
    { name: 'one', cost: 1, books: one },
  ]);
  const opened = await openMath({ folder: path.join(folder, 'math'), storeFolder: path.join(folder, 'store') });
  if (!opened.ok) throw new Error(JSON.stringify(opened.issues));
  math = opened.value;
  mode = math.modes.get('BASE') as MathMode;
});
afterAll(async () => {
  await math.close();
  await rm(folder, { recursive: true });
});

/** Makes a source whose outputs are changed. */
function changed(change: (words: Uint32Array, output: number) => void): Random64 {
  const random = createCryptoRandom();
  let output = 0;
  return (into) => {
    random(into);
    change(into, output);
    output += 1;
  };
}

const stuck: Random64 = (into) => into.fill(0x12345678);
const withStuckBit = changed((words) => {
  words[0] = (words[0] as number) | 0x0400_0000;
});
const leaning = changed((words) => {
  // One byte of 20 is 7.
  if (Math.random() < 0.4) new Uint8Array(words.buffer, words.byteOffset)[3] = 7;
});
/** Gives the bytes of its first filling again and again. */
function repeating(): Random64 {
  const random = createCryptoRandom();
  const first = new Uint32Array(4_096);
  for (let at = 0; at < first.length; at += 2) random(first.subarray(at, at + 2));
  let next = 0;
  return (into) => {
    into.set(first.subarray(next, next + 2));
    next = (next + 2) % first.length;
  };
}

describe('cutoffs', () => {
  // They are from SP 800-90B 4.4.1, and from the tables of the Linux kernel's jitterentropy for
  // 2^-30 and 2^-60.
  it.each([
    [30, 1, 31],
    [30, 8, 5],
    [64, 8, 9],
  ])('of the repetition count test for 2^-%d and %d bits is %d', (falseAlarmBits, entropy, cutoff) => {
    expect(repetitionCutoff({ falseAlarmBits, entropy })).toBe(cutoff);
  });
  it.each([
    [30, 512, 1, 325],
    [30, 512, 1 / 2, 422],
    [30, 512, 1 / 8, 502],
    [30, 512, 1 / 15, 512],
    [60, 512, 1, 355],
    [60, 512, 1 / 3, 479],
    // scipy.stats.binom gives these.
    [30, 512, 8, 16],
    [30, 1024, 1, 609],
    [40, 512, 4, 78],
    [64, 512, 8, 26],
  ])(
    'of the adaptive proportion test for 2^-%d, %d samples of %d bits is %d',
    (falseAlarmBits, window, entropy, cutoff) => {
      expect(proportionCutoff({ falseAlarmBits, window, entropy })).toBe(cutoff);
    },
  );
});

it('the generator passes', () => {
  const random = createCryptoRandom();
  for (let turn = 0; turn < 20; turn += 1) {
    expect(checkRawOutput(random)).toBeUndefined();
    expect(checkDraws(mode, random)).toBeUndefined();
  }
});

it.each([
  ['is stuck', stuck, /^adaptive proportion test: 128 |^repetition count test/],
  ['gives one byte', (into: Uint32Array) => into.fill(0), /^repetition count test: 9 equal bytes/],
  ['has a byte that leans', leaning, /^adaptive proportion test|^chi-square test of raw bytes/],
  ['has a stuck bit', withStuckBit, /^chi-square test of raw bytes/],
  ['repeats a filling', repeating(), /^duplicate test/],
] as const)('raw output of a source that %s fails', (_what, random, issue) => {
  expect(checkRawOutput(random as Random64)).toMatch(issue);
});

it('draws from a source that leans fail, and a mode with one book has nothing to fail', () => {
  const low = changed((words) => {
    if (Math.random() < 0.05) words[1] = 0;
  });
  expect(checkDraws(mode, low)).toMatch(/^chi-square test of draws: statistic \d+\.\d, 5\d degrees of freedom$/);
  expect(checkDraws(mode, withStuckBit)).toBeUndefined();
  expect(checkDraws(math.modes.get('ONE') as MathMode, low)).toBeUndefined();
});
