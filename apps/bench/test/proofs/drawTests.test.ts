import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCryptoRandom, type MathMode, type MathPackage, openMath, seededRandom } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTests } from '../../src/rng/drawTests.ts';
import { positionsOf, SOURCES } from '../../src/rng/fairSource.ts';

const SAMPLE_MATH = fileURLToPath(new URL('../../../../games/sample/dist/math', import.meta.url));
const DRAWS = 100_000;
const BLOCK = 10_000;
/** It holds at both ends: 36 p-values are a false alarm once in 13 million runs. */
const LEAST = 1e-9;

let storeFolder: string;
let math: MathPackage;

beforeAll(async () => {
  storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-draws-'));
  const opened = await openMath({ folder: SAMPLE_MATH, storeFolder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.issues));
  math = opened.value;
});
afterAll(async () => {
  await math.close();
  await rm(storeFolder, { recursive: true });
});

const modeOf = (key: string) => math.modes.get(key) as MathMode;

function testsOf(mode: MathMode, next: () => number, draws = DRAWS): Map<string, number> {
  const tests = drawTests(mode);
  for (let left = draws; left > 0; left -= BLOCK) {
    const positions = Uint32Array.from({ length: Math.min(left, BLOCK) }, next);
    for (const test of tests) test.take(positions);
  }
  return new Map(tests.map((test) => [test.name, test.p() ?? Number.NaN]));
}

it.each(SOURCES.flatMap((source) => ['BASE', 'BONUS'].map((key) => [source, key] as const)))(
  'draws of the source %s in mode %s of the sample game pass',
  (source, key) => {
    const mode = modeOf(key);
    const ps = testsOf(mode, positionsOf(mode, { source, game: 'sample' }));
    expect([...ps.keys()]).toEqual([
      'distribution',
      'serial pairs',
      'serial correlation',
      'runs',
      'gap',
      'coupon collector',
    ]);
    for (const [name, p] of ps) expect(Math.min(p, 1 - p), `${name}: ${p}`).toBeGreaterThan(LEAST);
  },
);

it('the p-values of sound draws are spread evenly', () => {
  const mode = modeOf('BONUS');
  const random = createCryptoRandom();
  const runs = Array.from({ length: 150 }, () => testsOf(mode, () => mode.draw(random).position, 20_000));
  for (const name of runs[0]?.keys() ?? []) {
    const ps = runs.map((run) => run.get(name) as number);
    const mean = ps.reduce((sum, p) => sum + p, 0) / ps.length;
    // The bound is seven standard deviations of the mean of 150 uniform numbers.
    expect(Math.abs(mean - 0.5), name).toBeLessThan(7 * Math.sqrt(1 / 12 / ps.length));
    expect(ps.filter((p) => p < 0.1).length, name).toBeLessThan(15 + 7 * Math.sqrt(13.5));
  }
});

describe('finds', () => {
  const sound = (mode: MathMode) => {
    const random = createCryptoRandom();
    return () => mode.draw(random).position;
  };

  it('a book that comes too often', () => {
    const next = sound(modeOf('BONUS'));
    const { below } = seededRandom({ stream: 1, round: 1 });
    expect(testsOf(modeOf('BONUS'), () => (below(500) === 0 ? 17 : next())).get('distribution')).toBeLessThan(LEAST);
  });

  it('draws that are too even', () => {
    const mode = modeOf('BONUS');
    let turn = 0;
    const p = testsOf(mode, () => turn++ % mode.bookCount).get('distribution') as number;
    expect(Math.min(p, 1 - p)).toBeLessThan(LEAST);
  });

  it('a draw that is like the one before', () => {
    const next = sound(modeOf('BASE'));
    const { below } = seededRandom({ stream: 1, round: 2 });
    let last = 0;
    const ps = testsOf(modeOf('BASE'), () => {
      last = below(20) === 0 ? last : next();
      return last;
    });
    for (const name of ['serial pairs', 'serial correlation', 'runs', 'gap'])
      expect(ps.get(name), name).toBeLessThan(LEAST);
  });

  it('a source that never gives a group twice within seven draws', () => {
    const mode = modeOf('BONUS');
    const next = sound(mode);
    const groups = mode.groups(8);
    const recent: number[] = [];
    const ps = testsOf(mode, () => {
      for (;;) {
        const position = next();
        const group = groups.findIndex(({ end }) => position < end);
        if (recent.includes(group)) continue;
        recent.push(group);
        if (recent.length > 5) recent.shift();
        return position;
      }
    });
    for (const name of ['gap', 'coupon collector']) {
      const p = ps.get(name) as number;
      expect(Math.min(p, 1 - p), name).toBeLessThan(LEAST);
    }
  });
});
