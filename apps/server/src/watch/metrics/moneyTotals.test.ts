import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MoneyTotals } from '../../store/watch/moneyTotals.ts';
import { createMoneyTotals, unitsOf } from './moneyTotals.ts';

const NOTHING = { payouts: 0n, freeRounds: 0n, freePayouts: 0n, voidRounds: 0n, voidBets: 0n };

/** A database in memory, whose days pass. */
function createDays() {
  const rows: { day: number; game: string; bets: bigint }[] = [];
  const days = { today: 20_000, rows, asked: [] as [from: string, before: string][] };
  const textOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const totals = createMoneyTotals({
    async findDays() {
      const yesterday = days.today - 1;
      return { first: textOf(Math.min(yesterday, ...rows.map(({ day }) => day))), yesterday: textOf(yesterday) };
    },
    async sumDays({ from, before = '9' }) {
      days.asked.push([from, before]);
      const found = rows.filter(({ day }) => textOf(day) >= from && textOf(day) < before);
      const games = [...new Set(found.map(({ game }) => game))];
      return games.map((game): MoneyTotals => {
        const own = found.filter((row) => row.game === game);
        const bets = own.reduce((sum, row) => sum + row.bets, 0n);
        return { operator: 'acme', game, currency: 'USD', rounds: BigInt(own.length), bets, ...NOTHING };
      });
    },
  });
  return { days, rows, totals, textOf };
}

/**
 * A round of the day or, when its transaction takes long, of the day before; or the end of the day.
 */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ late: fc.boolean(), game: fc.constantFrom('a', 'b'), bets: fc.bigInt(1n, 9n) }) },
  { weight: 1, arbitrary: fc.constant('next day' as const) },
  { weight: 2, arbitrary: fc.constant('read' as const) },
);

it('the totals are those of all days, whenever days pass and rounds come late', async () => {
  const old = fc.array(fc.record({ ago: fc.integer({ min: 2, max: 400 }), bets: fc.bigInt(1n, 9n) }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(old, fc.array(step, { maxLength: 40 }), async (past, steps) => {
      const { days, rows, totals } = createDays();
      for (const { ago, bets } of past) rows.push({ day: days.today - ago, game: 'a', bets });
      for (const does of [...steps, 'read' as const]) {
        if (does === 'next day') days.today += 1;
        else if (does !== 'read') rows.push({ ...does, day: days.today - (does.late ? 1 : 0) });
        else {
          const read = (await totals.read()) ?? [];
          const sum = (game: string) => rows.reduce((all, row) => (row.game === game ? all + row.bets : all), 0n);
          for (const game of ['a', 'b']) expect(read.find((row) => row.game === game)?.bets ?? 0n).toBe(sum(game));
        }
      }
    }),
  );
});

it('days before yesterday are read once', async () => {
  const { days, rows, totals, textOf } = createDays();
  rows.push({ day: days.today - 40, game: 'a', bets: 1n });
  await totals.read();
  const end = textOf(days.today - 1);
  expect(days.asked).toEqual([
    [textOf(days.today - 40), textOf(days.today - 9)],
    [textOf(days.today - 9), end],
    [end, '9'],
  ]);
  await totals.read();
  days.today += 1;
  await totals.read();
  expect(days.asked.slice(3)).toEqual([
    [end, '9'],
    [end, textOf(days.today - 1)],
    [textOf(days.today - 1), '9'],
  ]);
});

it('a total that a recount has made lower stays until it is passed', async () => {
  const { rows, totals } = createDays();
  rows.push({ day: 20_000, game: 'a', bets: 5n });
  expect(await totals.read()).toMatchObject([{ bets: 5n }]);
  rows.splice(0, 1, { day: 20_000, game: 'a', bets: 3n });
  expect(await totals.read()).toMatchObject([{ bets: 5n }]);
  rows.push({ day: 20_000, game: 'a', bets: 4n });
  expect(await totals.read()).toMatchObject([{ bets: 7n }]);
});

it.each([
  [0n, 0],
  [1n, 0.000001],
  [1_000_000n, 1],
  [123_456_789_012_345_678n, 123_456_789_012.34567],
  // More than a bigint of the database holds, in rupiah.
  [10n ** 25n + 500_000n, 1e19],
])('%s micros are %s units', (micros, units) => {
  expect(unitsOf(micros)).toBe(units);
});

it('no amount is less in units than a lower one', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 26n });
  const little = fc.bigInt({ min: 0n, max: 10n ** 7n });
  fc.assert(fc.property(amount, little, (micros, more) => unitsOf(micros + more) >= unitsOf(micros)));
});
