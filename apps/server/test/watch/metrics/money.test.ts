import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { findDays, type MoneyTotals, sumDays } from '../../../src/store/watch/moneyTotals.ts';
import { registerMoneyMetrics } from '../../../src/watch/metrics/moneyMetrics.ts';
import { createMoneyTotals } from '../../../src/watch/metrics/moneyTotals.ts';
import { type LedgerPlayer, useLedger } from '../../support/ledgerPlay.ts';

const ROUNDS = 16;
const NODES = 2;

const database = useLedger({ house: 4, seamless: 4, connections: 8 });

const totalsOf = () =>
  createMoneyTotals({ findDays: () => findDays(database.db), sumDays: (days) => sumDays(database.db, days) });

/** What each counter must show, from the rounds themselves. */
async function exactTotals(): Promise<Omit<MoneyTotals, 'game'>[]> {
  return database.db.$queryRaw`
    SELECT o.code AS operator, t.currency, sum(t.rounds - t.free_rounds)::bigint AS rounds,
      sum(t.bets - t.free_bets)::bigint AS bets, sum(t.payouts - t.free_payouts)::bigint AS payouts,
      sum(t.free_rounds)::bigint AS "freeRounds", sum(t.free_payouts)::bigint AS "freePayouts",
      sum(t.void_rounds)::bigint AS "voidRounds", sum(t.void_bets)::bigint AS "voidBets"
    FROM completed_round_totals t JOIN operators o ON o.id = t.operator_id GROUP BY 1, 2 ORDER BY 1`;
}

async function playMany(player: LedgerPlayer, index: number): Promise<void> {
  const { give, play, end } = database;
  for (let round = 0; round < ROUNDS; round += 1) {
    const free = round % 8 === 7;
    if (free) await give(player);
    // A seamless wallet leaves some debits without a result: the rounds become void.
    const debit = round % 5 === 4 ? 'uncertain' : 'accepted';
    await play(player, { money: [1_000_000, 10_000 * (7 * round + index)], free, debit });
    await end(player);
  }
}

it('no total falls while rounds are played and folded by several nodes, and the last is exact', async () => {
  const { db, players } = database;
  let isOver = false;
  const falls: unknown[] = [];
  let readings = 0;
  const whileOpen = async (work: () => Promise<unknown>) => {
    while (!isOver) await work();
  };
  const watching = Array.from({ length: NODES }, async () => {
    const last = new Map<string, bigint>();
    await whileOpen(async () => {
      // A new reader keeps nothing of a reading before.
      for (const { operator, game, currency, ...sums } of (await totalsOf().read()) ?? [])
        for (const [name, value] of Object.entries(sums)) {
          const key = [operator, game, currency, name].join(' ');
          if (value < (last.get(key) ?? 0n)) falls.push({ key, value, before: last.get(key) });
          last.set(key, value);
        }
      readings += 1;
    });
  });
  const folding = Array.from({ length: NODES }, () => whileOpen(() => db.$executeRaw`SELECT fold_game_totals()`));
  const played = await Promise.allSettled(players.map(playMany));
  isOver = true;
  await Promise.all([...watching, ...folding]);
  expect(played.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(falls).toEqual([]);
  expect(readings).toBeGreaterThan(NODES);
  const totals = (await totalsOf().read()) ?? [];
  const exact = await exactTotals();
  expect(totals.toSorted((a, b) => (a.operator < b.operator ? -1 : 1))).toEqual(
    exact.map((each) => ({ ...each, game: 'game' })),
  );
  expect(exact.map(({ operator }) => operator)).toEqual(['acme', 'house']);
  const [acme, house] = exact;
  expect(acme?.voidRounds).toBeGreaterThan(0n);
  for (const each of [acme, house]) expect([each?.freeRounds === 0n, each?.rounds === 0n]).toEqual([false, false]);
});

it('the counters are in whole units, players and operator apart', async () => {
  const registry = new Registry();
  const large = 9_007_199_254_740_993_000_001n;
  const totals: MoneyTotals = {
    ...{ operator: 'acme', game: 'game', currency: 'IDR', rounds: 12n, bets: large, payouts: 2_500_000n },
    ...{ freeRounds: 3n, freePayouts: 1_250_000n, voidRounds: 1n, voidBets: 1_000_000n },
  };
  let read: readonly MoneyTotals[] = [totals];
  registerMoneyMetrics(registry, async () => read);
  const samples = async () => (await registry.metrics()).match(/^roundhouse.*$/gm);
  const labels = '{operator="acme",game="game",currency="IDR"}';
  expect(await samples()).toEqual([
    `roundhouse_bet_amount_total${labels} 9007199254740994`,
    `roundhouse_payout_amount_total${labels} 2.5`,
    `roundhouse_rounds_total${labels} 12`,
    `roundhouse_void_rounds_total${labels} 1`,
    `roundhouse_void_bet_amount_total${labels} 1`,
    `roundhouse_free_rounds_total${labels} 3`,
    `roundhouse_free_payout_amount_total${labels} 1.25`,
  ]);
  read = [];
  expect(await samples()).toBeNull();
});
