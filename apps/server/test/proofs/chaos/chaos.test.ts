import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { expectFairRounds, fairRoundsText } from '../fair/fairShare.ts';
import { expectGrantsAgree, expectLedgersAgree, settled } from './agreement.ts';
import { report } from './report.ts';
import { type Simulation, simulate } from './simulate.ts';

// `npm run proof -- chaos --rounds 50000 --seed 7` sets these.
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 200);
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_121);
const PLAYERS = { operator: 16, house: 4 };
const KILLS = { server: Math.max(3, Math.floor(ROUNDS / 200)), operator: Math.max(2, Math.floor(ROUNDS / 400)) };

let simulation: Simulation | undefined;
afterAll(async () => {
  if (simulation) await Promise.all([simulation.operator, ...simulation.nodes].map((each) => each.kill()));
});

it(`${ROUNDS} rounds of ${PLAYERS.operator + PLAYERS.house} players, seed ${SEED}: everything fails, processes are killed, and no money is lost`, {
  timeout: 600_000 + ROUNDS * 200,
}, async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const databaseUrl = database.url;
  const db = openDatabase({ url: databaseUrl });
  try {
    const node = { databaseUrl, games: path.dirname(game.folder), data: game.storeFolder };
    simulation = await simulate({ ...node, seed: SEED, rounds: ROUNDS, players: PLAYERS, kills: KILLS });

    await settled(db);

    // This ends for every player, so no player is stuck.
    const { operator, players, givers, nodes, fairPlayers } = simulation;
    await Promise.all(players.map((player) => player.playRound()));
    for (const giver of givers) await giver.cancelAll();
    await settled(db);
    const playerIDs = players.map(({ playerID }) => playerID).filter((playerID) => playerID.startsWith('operator'));
    await expectGrantsAgree(db, givers);
    await expectLedgersAgree(db, { operator, playerIDs, databaseUrl });
    // The operators have voided some.
    const completed = await db.round.count({ where: { walletState: { not: 'void' } } });
    const ofHouse = await db.round.count({ where: { walletState: null } });
    expect(completed + ofHouse).toBeGreaterThanOrEqual(ROUNDS * 0.8);
    const exported = await expectFairRounds(db, { entered: fairPlayers, nodes });
    await report(db, players, [
      fairRoundsText(exported),
      `killed: the nodes ${KILLS.server} times, the operator ${KILLS.operator} times`,
    ]);
  } finally {
    await db.$disconnect();
  }
});
