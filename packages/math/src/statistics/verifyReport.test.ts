import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folders.ts';
import { publishMath } from '../make/publish.ts';
import { openMath } from '../read/openMath.ts';
import { type VerifyReport, verifyReport } from './verifyReport.ts';

type Rows = [weight: number, payout: number][];

const rowsOf = (...rows: Rows): Rows => rows;

type TestMode = { cost: number; rows: Rows; events?: (id: number) => unknown[] };

async function reportOf(modes: Record<string, TestMode>): Promise<VerifyReport> {
  const folder = await temporaryFolder();
  await publishMath(
    folder,
    Object.entries(modes).map(([name, { cost, rows, events = (id: number) => [id] }]) => ({
      name,
      cost,
      books: rows.map(([weight, payoutMultiplier], id) => ({ id, weight, payoutMultiplier, events: events(id) })),
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

it('gives the numbers of each mode as plain data', async () => {
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

/** The rows are of a mode that costs 1, and the expected warnings of it. */
it.each<[string, Rows, string[]]>([
  ['RTP at 90 %', rowsOf([1, 80], [1, 100]), []],
  ['RTP below 90 %', rowsOf([1000, 90], [1, 80]), ['RTP']],
  ['RTP at 98 %', rowsOf([9, 100], [1, 80]), []],
  ['RTP above 98 %', rowsOf([99, 100], [1, 90]), ['RTP']],
  ['a maximum win of 1 in 10,000,000', rowsOf([9_999_999, 90], [1, 1000]), []],
  ['a maximum win that is rarer', rowsOf([10_000_000, 90], [1, 1000]), ['MAX_WIN']],
  ['a hit rate of 1 in 20', rowsOf([19, 0], [1, 1900]), []],
  ['a hit rate below', rowsOf([20, 0], [1, 2000]), ['HIT_RATE']],
  ['one payout', rowsOf([1, 90], [1, 90]), ['CONSTANT']],
  ['no payout', rowsOf([1, 0]), ['RTP', 'HIT_RATE']],
  ['a quarter of the rows with weight 0', rowsOf([1, 80], [1, 100], [1, 90], [0, 90]), []],
  ['more rows with weight 0', rowsOf([1, 80], [1, 100], [0, 90]), ['ZERO_WEIGHT']],
  ['payouts off the step of 0.1', rowsOf([1, 95], [1, 90]), ['PAYOUT_STEP']],
  ['payouts in whole multiples', rowsOf([8, 0], [5, 1], [7, 2]), ['RTP', 'PAYOUT_UNIT', 'PAYOUT_STEP']],
])('warns of what a reviewer would ask about: %s', async (_name, rows, expected) => {
  expect(warned(await reportOf({ a: { cost: 1, rows } }))).toEqual(expected.map((code) => `${code} a`));
});

it.each<[string, string, number, Rows, string[]]>([
  ['a base mode that costs 2', 'base', 2, rowsOf([1, 180], [1, 200]), ['BASE_COST']],
  ['another mode that costs 2', 'ante', 2, rowsOf([1, 180], [1, 200]), []],
  ['a cost that floating point has missed', 'ante', 3.3000000000000003, rowsOf([1, 300], [1, 330]), ['COST']],
  ['payouts in multiples of the cost', 'bonus', 100, rowsOf([1, 90], [1, 100]), ['RTP', 'PAYOUT_UNIT']],
])('warns of %s', async (_about, name, cost, rows, expected) => {
  expect(warned(await reportOf({ [name]: { cost, rows } }))).toEqual(expected.map((code) => `${code} ${name}`));
});

it('warns of books with more than 512 KiB of events, and names the largest', async () => {
  const rows = rowsOf([1, 80], [1, 100], [1, 90]);
  const sizes = (kib: readonly number[]) => (id: number) => ['x'.repeat((kib[id] as number) * 1024 - '[""]'.length)];
  const messages = async (kib: readonly number[]) =>
    (await reportOf({ a: { cost: 1, rows, events: sizes(kib) } })).warnings.map(({ message }) => message);
  expect(await messages([512, 1, 1])).toEqual([]);
  expect(await messages([1, 513, 1])).toEqual(['the events of book 1 have 513.0 KiB, more than 512 KiB']);
  expect(await messages([600, 700, 1])).toEqual([
    'the events of book 1 have 700.0 KiB, more than 512 KiB, and 1 more are above it',
  ]);
});

it('warns of modes that differ in RTP by more than 0.5 points', async () => {
  const mode = (payout: number): TestMode => ({ cost: 100, rows: rowsOf([1, payout - 10], [1, payout + 10]) });
  const close = await reportOf({ a: mode(9600), b: mode(9600) });
  expect(warned(close)).toEqual([]);
  const half = await reportOf({ a: mode(9600), b: mode(9650) });
  expect(half.rtpSpreadPoints).toBeCloseTo(0.5, 12);
  expect(warned(half)).toEqual([]);
  expect(warned(await reportOf({ a: mode(9600), b: mode(9660) }))).toEqual(['RTP_SPREAD']);
});
