import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Of } from '../../src/rounds/sessions/sessionToken.ts';
import { startSession } from '../../src/rounds/sessions/startSession.ts';
import { type RecordsWanted, type RoundRecord, readRoundRecords } from '../../src/store/operators/roundRecords.ts';
import { archiveRounds } from '../../src/store/rounds/archive.ts';
import { anyAct, type LedgerPlayer, useLedger } from '../support/ledgerPlay.ts';
import { age, DAY_MS } from '../support/moveTime.ts';

const PLAYERS = 3;

const database = useLedger({ house: PLAYERS });

const anyStep = fc.oneof(
  { weight: 12, arbitrary: anyAct },
  { weight: 2, arbitrary: fc.record({ balance: fc.integer({ min: 100, max: 2000 }) }) },
  { weight: 1, arbitrary: fc.constant('archive' as const) },
);

async function setBalance(player: number, units: number): Promise<void> {
  const started = await startSession(database.db, {
    ...{ tokenSha256: sha256Of(randomUUID()), operatorCode: 'house', playerExternalID: `player-${player}` },
    ...{ currency: 'USD', gameID: 'game', gameVersion: '1.0.0', country: undefined, jurisdiction: {} },
    ...{ openingBalance: toMicros(0), setBalanceTo: toMicros(units * 1_000_000) },
  });
  expect(started.ok).toBe(true);
}

async function archive(): Promise<void> {
  await age(database, 40);
  await archiveRounds(database.db, { closedBefore: new Date(Date.now() - 30 * DAY_MS), move: true });
}

async function recordsOf(wanted: RecordsWanted, rowsAPage = 3): Promise<RoundRecord[]> {
  const records: RoundRecord[] = [];
  const outcome = await readRoundRecords(database.db, wanted, async (page) => void records.push(...page), rowsAPage);
  expect(outcome).toEqual({ ok: true, rounds: records.length });
  return records;
}

type Balances = { roundID: bigint; balanceBefore: number | null; balanceAfter: number | null };
const shown = (records: readonly Balances[]) =>
  records.map(({ roundID, balanceBefore, balanceAfter }) => [roundID, balanceBefore, balanceAfter]);

/**
 * Computes the balances from the transfers: until each round, and until its end. A free round has
 * no bet, so its time says where it is.
 */
const balancesOf = (player: number | undefined) => database.db.$queryRaw<Balances[]>`
  WITH moved AS (
    SELECT t.id, t.round_id, t.kind, t.created_at, a.player_id,
      sum(CASE WHEN t.to_account_id = a.id THEN t.amount_micros ELSE -t.amount_micros END)
        OVER (PARTITION BY a.id ORDER BY t.id)::float8 AS balance
    FROM all_transfers t JOIN accounts a ON a.id IN (t.from_account_id, t.to_account_id) AND a.kind = 'player'
  )
  SELECT r.id AS "roundID", b.before AS "balanceBefore",
    CASE WHEN r.ended_at IS NOT NULL THEN coalesce((
      SELECT m.balance FROM moved m WHERE m.round_id = r.id AND m.kind <> 'winnings' ORDER BY m.id DESC LIMIT 1
    ), b.before) END AS "balanceAfter"
  FROM all_rounds r CROSS JOIN LATERAL (
    SELECT CASE WHEN r.grant_id IS NULL
      THEN (SELECT m.balance + r.debit_micros FROM moved m WHERE m.round_id = r.id AND m.kind = 'bet')
      ELSE (SELECT m.balance FROM moved m WHERE m.player_id = r.player_id AND m.created_at < r.opened_at ORDER BY m.id DESC LIMIT 1)
    END AS before
  ) b
  WHERE r.player_id = coalesce(${player === undefined ? null : database.players[player]?.playerID}::bigint, r.player_id)
  ORDER BY r.id`;

it('of any play have the balances before and after each round, archived or not, in the order of the rounds', async () => {
  const plan = fc.array(fc.tuple(fc.nat(PLAYERS - 1), anyStep), { minLength: 10, maxLength: 40 });
  const property = fc.asyncProperty(plan, fc.integer({ min: 1, max: 9 }), fc.nat(), async (steps, rowsAPage, edge) => {
    for (const [player, step] of steps) {
      if (step === 'archive') await archive();
      else if ('balance' in step) await setBalance(player, step.balance);
      else await database.act(database.players[player] as LedgerPlayer, step);
    }
    const all = await recordsOf({}, rowsAPage);
    expect(shown(all)).toEqual(shown(await balancesOf(undefined)));
    for (const [index] of database.players.entries()) {
      const own = await recordsOf({ externalID: `player-${index}`, gameID: 'game' }, rowsAPage);
      expect(shown(own)).toEqual(shown(await balancesOf(index)));
    }
    const at = all[edge % Math.max(1, all.length)]?.openedAt;
    if (at === undefined) return;
    const [before, later] = [await recordsOf({ to: at, operatorCode: 'house' }), await recordsOf({ from: at })];
    expect(shown(before)).toEqual(shown(all.filter(({ openedAt }) => openedAt < at)));
    expect(shown(later)).toEqual(shown(all.filter(({ openedAt }) => openedAt >= at)));
  });
  await fc.assert(property, { numRuns: 12 });
}, 240_000);

it('are of one moment: what is played while they are read is left out', async () => {
  // A player with an open round plays no other.
  const [one, other] = database.players as [LedgerPlayer, LedgerPlayer];
  for (const player of [one, other]) await database.act(player, { do: 'end', credit: true });
  for (let round = 0; round < 4; round += 1) await database.play(one);
  const known = await database.db.$queryRaw<object[]>`SELECT FROM all_rounds`;
  let seen = 0;
  const onPage = async (page: RoundRecord[]) => {
    seen += page.length;
    expect(await database.play(other)).toBeDefined();
  };
  await readRoundRecords(database.db, {}, onPage, 2);
  expect(seen).toBe(known.length);
});
