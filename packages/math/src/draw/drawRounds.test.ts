import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForChildren } from '../../test/support/childProcess.ts';
import { temporaryFolder } from '../../test/support/folders.ts';
import { publishMath } from '../make/publish.ts';
import { openMath } from '../read/openMath.ts';
import type { MathMode } from '../types.ts';
import { drawReport } from './drawReport.ts';
import type { DrawRoundsOptions, drawRounds } from './drawRounds.ts';
import { seededRandom64 } from './random.ts';

/** A thread is started from a file of the build. */
let built: { drawRounds: typeof drawRounds };
let remove: () => Promise<void>;

beforeAll(async () => {
  const build = await buildForChildren('draws');
  remove = build.remove;
  built = await import(pathToFileURL(build.entry).href);
});
afterAll(() => remove());

type Row = [weight: number, payout: number];
const ROWS: Row[] = [
  [70, 0],
  [0, 900],
  [20, 150],
  [9, 400],
  [1, 2500],
];
/** The RTP of the rows at a cost of 1.25. */
const RTP = (20 * 1.5 + 9 * 4 + 25) / 100 / 1.25;

async function opened(): Promise<{
  mode: MathMode;
  store: Pick<DrawRoundsOptions, 'storeFolder' | 'sha256' | 'mode'>;
}> {
  const folder = await temporaryFolder();
  const books = ROWS.map(([weight, payoutMultiplier], id) => ({ id, weight, payoutMultiplier, events: [id] }));
  await publishMath(join(folder, 'math'), [{ name: 'base', cost: 1.25, books }]);
  const storeFolder = join(folder, 'store');
  const outcome = await openMath({ folder: join(folder, 'math'), storeFolder });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const { sha256, modes } = outcome.value;
  await outcome.value.close();
  return { mode: modes.get('BASE') as MathMode, store: { storeFolder, sha256, mode: 'BASE' } };
}

describe('drawRounds', () => {
  it('a seeded run draws the same on any number of threads, by the draw of the mode', async () => {
    const { mode, store } = await opened();
    const run = (options: object) => built.drawRounds({ ...store, bookCount: 5, rounds: 200_001, seed: 7, ...options });
    const counts = await run({ threads: 1 });
    expect(await run({ threads: 3 })).toEqual(counts);
    expect(await run({ threads: 2, seed: 8 })).not.toEqual(counts);
    const byHand = new Float64Array(5);
    for (const [chunk, size] of [65_536, 65_536, 65_536, 3393].entries()) {
      const random = seededRandom64({ stream: 7, round: chunk });
      for (let draw = 0; draw < size; draw += 1) {
        const { position } = mode.draw(random);
        byHand[position] = (byHand[position] as number) + 1;
      }
    }
    expect(counts).toEqual(byHand);
    expect(counts.reduce((sum, count) => sum + count)).toBe(200_001);
    expect(counts[1]).toBe(0);
  });

  it('without a seed two runs differ, and each draws by the weights', async () => {
    const { mode, store } = await opened();
    const seen: number[] = [];
    const onProgress = ({ drawn, rounds }: { drawn: number; rounds: number }) => seen.push(drawn / rounds);
    const run = () => built.drawRounds({ ...store, bookCount: 5, rounds: 300_000, threads: 2, onProgress });
    const counts = await run();
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    expect(await run()).not.toEqual(counts);
    // A sound draw fails one in a billion times.
    expect(drawReport(mode, counts).bookTest.p).toBeGreaterThan(1e-9);
  });

  it('ends with the reason of the signal, and refuses invalid numbers', async () => {
    const { store } = await opened();
    const stop = new AbortController();
    const run = built.drawRounds({
      ...{ ...store, bookCount: 5, rounds: 1e12, threads: 2, signal: stop.signal },
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow('enough');
    const refused = (options: object) => built.drawRounds({ ...store, bookCount: 5, rounds: 10, ...options });
    await expect(refused({ rounds: 0 })).rejects.toThrow(
      'rounds must be a whole number from 1 to 1000000000000, not 0',
    );
    await expect(refused({ threads: 0 })).rejects.toThrow('workers must be 1 or more, not 0');
    await expect(refused({ mode: 'BONUS' })).rejects.toThrow('there is no mode BONUS');
    await expect(refused({ sha256: '0'.repeat(64) })).rejects.toThrow('is not in the store');
  });
});

describe('drawReport', () => {
  it('counts exactly, beside what the table expects', async () => {
    const { mode } = await opened();
    const report = drawReport(mode, Float64Array.of(690, 0, 220, 89, 1));
    expect(report).toMatchObject({ rounds: 1000, payouts: 220n * 150n + 89n * 400n + 2500n, hits: 310, hitRate: 0.31 });
    const rtp = (220 * 1.5 + 89 * 4 + 25) / 1000 / 1.25;
    expect(report.rtp).toBeCloseTo(rtp, 14);
    const square = (220 * 1.5 ** 2 + 89 * 16 + 625) / 1000 / 1.25 ** 2;
    expect(report.standardDeviation).toBeCloseTo(Math.sqrt(square - rtp ** 2), 12);
    expect(report.maxWins).toEqual({ drawn: 1, expected: 10 });
    const filled = report.buckets.filter(({ expected }) => expected > 0);
    expect(filled).toEqual([
      { from: 0, to: 0, drawn: 690, expected: 700 },
      { from: 1, to: 2, drawn: 220, expected: 200 },
      { from: 2, to: 5, drawn: 89, expected: 90 },
      { from: 20, to: 50, drawn: 1, expected: 10 },
    ]);
    expect(report.payoutTest).toMatchObject({ degrees: 3, statistic: 100 / 700 + 2 + 1 / 90 + 8.1 });
    expect(mode.statistics().rtp).toBeCloseTo(RTP, 14);
  });

  it('finds draws that do not follow the weights, also where the payouts do', async () => {
    const { mode } = await opened();
    expect(drawReport(mode, Float64Array.of(65_000, 0, 25_000, 9000, 1000)).payoutTest.p).toBeLessThan(1e-12);
    expect(() => drawReport(mode, Float64Array.of(10, 1, 0, 0, 0))).toThrow('position 1 has no weight and was drawn');
    const folder = await temporaryFolder();
    const books = [0, 1, 2, 3].map((id) => ({ id, weight: 1, payoutMultiplier: 100, events: [id] }));
    await publishMath(join(folder, 'math'), [{ name: 'base', cost: 1, books }]);
    const even = await openMath({ folder: join(folder, 'math'), storeFolder: join(folder, 'store') });
    if (!even.ok) throw new Error(JSON.stringify(even.issues));
    await even.value.close();
    const skewed = drawReport(even.value.modes.get('BASE') as MathMode, Float64Array.of(400, 400, 100, 100));
    expect(skewed.payoutTest.p).toBe(1);
    expect(skewed.bookTest.p).toBeLessThan(1e-12);
  });
});
