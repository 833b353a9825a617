import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { succeed } from '../support/roundhouse.ts';
import { expectBooksBalance } from '../support/testServer.ts';
import { OPERATOR_CODE } from './processes.ts';
import { api, type Simulation, simulate } from './simulate.ts';

// `pnpm chaos --rounds 50000 --seed 7` sets these.
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 300);
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_121);
const PLAYERS = 20;
const KILLS = { server: Math.max(3, Math.floor(ROUNDS / 200)), operator: Math.max(2, Math.floor(ROUNDS / 400)) };
const OPENING_BALANCE = 1_000_000_000;

let simulation: Simulation | undefined;
afterAll(async () => {
  if (simulation) await Promise.all([simulation.operator, ...simulation.nodes].map((each) => each.kill()));
});

it(`${ROUNDS} rounds of ${PLAYERS} players, seed ${SEED}: everything fails, processes are killed, and no money is lost`, {
  timeout: 600_000 + ROUNDS * 200,
}, async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const databaseUrl = database.url;
  const db = openDatabase({ url: databaseUrl });
  try {
    simulation = await simulate({
      databaseUrl,
      games: path.dirname(game.folder),
      data: game.storeFolder,
      seed: SEED,
      rounds: ROUNDS,
      players: PLAYERS,
      kills: KILLS,
    });

    // It settles by itself: nobody does anything but wait.
    await settled(db);

    // No player is stuck, and all are back at rest.
    await Promise.all(simulation.players.map((player) => player.playRound()));
    await settled(db);
    expect(await db.walletTransaction.count({ where: { state: 'parked' } })).toBe(0);

    // Every debit has exactly one outcome: credited, closed at zero, or given back.
    await expectBooksBalance(db);
    expect(await db.round.count({ where: { closedAt: null } })).toBe(0);
    expect(await db.round.count({ where: { walletState: 'credited' } })).toBeGreaterThanOrEqual(ROUNDS * 0.8);

    // Both ledgers agree to the micro.
    for (const { playerID } of simulation.players) {
      const entry = { playerID, currency: 'USD' };
      const entered = await api<{ balances: object[] }>(simulation.operator, 'POST', '/api/players', entry);
      expect(entered.balances[0]).toMatchObject({ balance: OPENING_BALANCE + (await netOf(db, playerID)) });
    }
    const env = { DATABASE_URL: databaseUrl };
    expect(await succeed(['reconcile', OPERATOR_CODE, '--to', 'now'], { env })).toMatch(/no difference/i);
    expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
  } finally {
    await db.$disconnect();
  }
});

async function settled(db: Database): Promise<void> {
  const step = async () => {
    await db.$executeRaw`
      UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending' AND due_at > now() + interval '5 seconds'`;
    expect(await db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
  };
  await vi.waitFor(step, { timeout: 200_000, interval: 200 });
}

/** What our own records say that the player has won or lost. */
async function netOf(db: Database, playerID: string): Promise<number> {
  const [row] = await db.$queryRaw<{ net: bigint }[]>`
    SELECT coalesce(sum(r.payout_micros - r.debit_micros), 0)::bigint AS net
    FROM rounds r JOIN players p ON p.id = r.player_id
    WHERE p.external_id = ${playerID} AND r.wallet_state = 'credited'`;
  return Number(row?.net ?? 0n);
}
