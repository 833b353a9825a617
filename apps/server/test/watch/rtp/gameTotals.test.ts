import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { booksBalance } from '../../../src/store/books/booksBalance.ts';
import { archiveRounds } from '../../../src/store/rounds/archive.ts';
import { anyAct, type LedgerPlayer, ledgerPlay, losing, useLedger } from '../../support/ledgerPlay.ts';
import { age, DAY_MS } from '../../support/moveTime.ts';

const database = useLedger({ house: 3, seamless: 3, connections: 8 });

/** All of this happens at once: each player does a thing, and totals and archive are worked on. */
const wave = fc.record({
  acts: fc.array(anyAct, { minLength: 6, maxLength: 6 }),
  lost: fc.boolean(),
  folds: fc.integer({ min: 0, max: 3 }),
  recounts: fc.boolean(),
  archives: fc.boolean(),
  ages: fc.boolean(),
});

it('no total counts a round whose bet the operator has refused', async () => {
  const { db, players, play } = database;
  const player = players.at(-1) as LedgerPlayer;
  const totals = () =>
    db.$queryRaw`
      SELECT sum(current.rounds) AS rounds, sum(current.void_rounds) AS voids, sum(t.void_rounds) AS counted
      FROM current_game_totals current
      FULL JOIN completed_round_totals t USING (game_version_id, mode, currency, operator_id, day)`;
  const before = await totals();
  const refused = await play(player, { debit: 'refused' });
  expect(await db.round.findUniqueOrThrow({ where: { id: refused ?? 0n } })).toMatchObject({ walletState: 'void' });
  expect(await totals()).toEqual(before);
});

it('the totals are those of the rounds, whatever happens and however often a batch is sent', async () => {
  const { db } = database;
  let lost = false;
  let queries = 0;
  const ledger = createLedger(
    losing(db, async () => {
      queries += 1;
      return lost && queries % 2 === 0;
    }),
  );
  const { act, give, play, end } = ledgerPlay(db, ledger);
  const [first] = database.players as [LedgerPlayer];
  await give(first);
  await play(first, { free: true, pays: true });
  await end(first);
  await fc.assert(
    fc.asyncProperty(fc.array(wave, { minLength: 4, maxLength: 12 }), async (waves) => {
      for (const { acts, folds, recounts, archives, ages, ...given } of waves) {
        lost = given.lost;
        if (ages) await age(database, 30);
        const closedBefore = new Date(Date.now() - 2 * DAY_MS);
        await Promise.all([
          ...acts.map((each, index) => act(database.players[index] as LedgerPlayer, each)),
          ...Array.from({ length: folds }, () => db.$executeRaw`SELECT fold_game_totals()`),
          recounts && db.$executeRaw`SELECT recount_game_totals()`,
          archives && archiveRounds(db, { closedBefore, move: true, step: 3 }),
        ]);
        expect((await booksBalance(db)).imbalances).toEqual([]);
      }
    }),
    { numRuns: 8 },
  );
  const [totals] = await db.$queryRaw<object[]>`
    SELECT sum(rounds) > 0 AS rounds, sum(void_rounds) > 0 AS voids, sum(payouts) > 0 AS payouts,
      sum(free_rounds) > 0 AS "freeRounds", sum(free_payouts) > 0 AS "freePayouts", max(max_bet) AS "maxBet"
    FROM current_game_totals`;
  const free = { freeRounds: true, freePayouts: true };
  expect(totals).toEqual({ rounds: true, voids: true, payouts: true, ...free, maxBet: 50_000_000n });
  expect(await db.archivedRound.count()).toBeGreaterThan(0);
});

it('folding moves each completed round once, and leaves those of transactions that commit later', async () => {
  const { db, play, end } = database;
  const [player] = database.players as [LedgerPlayer];
  await end(player);
  await db.$executeRaw`SELECT fold_game_totals()`;
  await play(player);
  const fold = () => db.$queryRaw<{ folded: bigint }[]>`SELECT fold_game_totals() AS folded`;
  const unfolded = () => db.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM completed_rounds`;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO completed_rounds (operator_id, game_version_id, day, bet_micros, mode, currency)
      VALUES (1, 1, '2026-01-01', 1, 'X', 'EUR')`;
    const folded = (await Promise.all([fold(), fold()])).map(([row]) => Number(row?.folded)).sort();
    expect(folded[0]).toBe(0);
    expect(folded[1]).toBeGreaterThan(0);
  });
  expect(await unfolded()).toEqual([{ count: 1n }]);
  await db.$executeRaw`DELETE FROM completed_rounds`;
});

it('one view has the aggregate, and a reader of one source of it scans nothing of the other', async () => {
  const { db } = database;
  const aggregates = await db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class
    WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace AND pg_get_viewdef(oid) LIKE '%FILTER (WHERE%is_void%'`;
  expect(aggregates).toEqual([{ name: 'round_totals' }]);
  for (const [view, scanned] of [
    ['unfolded_game_totals', ['completed_rounds']],
    [
      'completed_round_totals',
      ['accounts', 'archived_rounds', 'archived_wallet_transactions', 'rounds', 'wallet_transactions'],
    ],
  ] as const) {
    const [explained] = await db.$queryRawUnsafe<{ 'QUERY PLAN': unknown }[]>(
      `EXPLAIN (COSTS OFF, FORMAT JSON) SELECT * FROM ${view}`,
    );
    const plan = JSON.stringify(explained);
    const tables = [...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, table]) => table);
    expect([...new Set(tables)].sort()).toEqual(scanned);
    expect(plan).toContain('"Group Key":[');
    expect(/"Group Key":\[.*?\]/.exec(plan)?.[0]).not.toContain('unfolded');
  }
});
