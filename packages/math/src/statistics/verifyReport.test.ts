import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folders.ts';
import { publishMath } from '../make/publish.ts';
import { openMath } from '../read/openMath.ts';
import { type VerifyReport, verifyReport } from './verifyReport.ts';

type Rows = [weight: number, payout: number][];

async function reportOf(modes: Record<string, { cost: number; rows: Rows }>): Promise<VerifyReport> {
  const folder = await temporaryFolder();
  await publishMath(
    folder,
    Object.entries(modes).map(([name, { cost, rows }]) => ({
      name,
      cost,
      books: rows.map(([weight, payoutMultiplier], id) => ({ id, weight, payoutMultiplier, events: [id] })),
    })),
  );
  const outcome = await openMath({ folder, storeFolder: await temporaryFolder() });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const report = verifyReport(outcome.value);
  await outcome.value.close();
  return report;
}

const warned = (report: VerifyReport): string[] =>
  report.warnings.map(({ code, mode }) => `${code} ${mode ?? ''}`.trim());

it('gives the figures of each mode as plain data', async () => {
  const report = await reportOf({
    base: {
      cost: 1,
      rows: [
        [5, 0],
        [4, 150],
        [1, 350],
        [0, 1000],
      ],
    },
  });
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect(report).toMatchObject({ rtpSpreadPoints: 0, warnings: [] });
  expect(report.modes[0]).toMatchObject({
    name: 'base',
    cost: '1',
    books: 4,
    totalWeight: '10',
    rtp: 0.95,
    hitRate: 0.5,
    maxWin: '3.5',
    maxWinOneIn: 10,
    medianPayout: '0',
    distinctPayouts: 4,
    zeroWeightRows: 1,
  });
});

it.each<[string, Rows, string[]]>([
  ['RTP at 90 %', [[1, 90]], []],
  [
    'RTP below 90 %',
    [
      [1000, 90],
      [1, 80],
    ],
    ['RTP a'],
  ],
  [
    'RTP at 98 %',
    [
      [9, 100],
      [1, 80],
    ],
    [],
  ],
  ['RTP above 98 %', [[1, 100]], ['RTP a']],
  [
    'a maximum win of 1 in 20,000,000',
    [
      [19_999_999, 90],
      [1, 1000],
    ],
    [],
  ],
  [
    'a maximum win that is rarer',
    [
      [20_000_000, 90],
      [1, 1000],
    ],
    ['MAX_WIN a'],
  ],
  [
    'a hit rate of 1 in 20',
    [
      [19, 0],
      [1, 1900],
    ],
    [],
  ],
  [
    'a hit rate below',
    [
      [20, 0],
      [1, 2000],
    ],
    ['HIT_RATE a'],
  ],
  ['payouts off the step of 0.1', [[1, 95]], ['PAYOUT_STEP a']],
])('warns of what a reviewer would ask about: %s', async (_name, rows, expected) => {
  expect(warned(await reportOf({ a: { cost: 1, rows } }))).toEqual(expected);
});

it('warns of modes that differ in RTP by more than 0.5 points', async () => {
  const mode = (payout: number): { cost: number; rows: Rows } => ({ cost: 10, rows: [[1, payout]] });
  const close = await reportOf({ a: mode(960), b: mode(960) });
  expect(warned(close)).toEqual([]);
  const half = await reportOf({ a: { cost: 100, rows: [[1, 9600]] }, b: { cost: 100, rows: [[1, 9650]] } });
  expect(half.rtpSpreadPoints).toBeCloseTo(0.5, 12);
  expect(warned(half)).toEqual([]);
  const apart = await reportOf({ a: { cost: 100, rows: [[1, 9600]] }, b: { cost: 100, rows: [[1, 9660]] } });
  expect(warned(apart)).toEqual(['RTP_SPREAD']);
});
