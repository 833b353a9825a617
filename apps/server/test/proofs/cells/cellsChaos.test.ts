import { afterAll, expect, it } from 'vitest';
import { settled } from '../chaos/agreement.ts';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { createRandom, playAndKill, restartOneOf } from '../chaos/playAndKill.ts';
import { faultPlan, switchFaults } from '../chaos/simulate.ts';
import { type CellDatabase, startCellDatabase } from './cellDatabase.ts';
import { enterPlayer } from './enterPlayer.ts';
import { expectFleetAgrees } from './fleetAgreement.ts';
import { createLauncher } from './launcher.ts';
import { type ProcessFleet, startFleet } from './processFleet.ts';

// `npm run proof -- cells --rounds 20000 --seed 7` sets these.
const ROUNDS = Number(process.env.CELLS_ROUNDS ?? 120);
const SEED = Number(process.env.CELLS_SEED ?? 20_261_128);
const IS_SHORT = ROUNDS < 1_000;
const PLAYERS = IS_SHORT ? 8 : 32;
const NODES = IS_SHORT ? 1 : 2;
const times = (rounds: number) => Math.max(1, Math.floor(ROUNDS / rounds));
const KILLS = { router: times(300), node: times(300), database: times(600), operator: IS_SHORT ? 0 : times(1_000) };

let fleet: ProcessFleet | undefined;
let databases: CellDatabase[] = [];
afterAll(async () => {
  await fleet?.close();
  await Promise.all(databases.map((database) => database.close()));
});

it(`${ROUNDS} rounds of one operator in two cells, seed ${SEED}: routers, nodes and databases are killed, and no money is lost`, {
  timeout: 300_000 + ROUNDS * 200,
}, async () => {
  databases = await Promise.all([startCellDatabase(), startCellDatabase()]);
  fleet = await startFleet({ cells: databases.map(({ url }) => ({ databaseUrl: url, nodes: NODES })) });
  const { cells, routers, operator } = fleet;
  const launcher = createLauncher(fleet);
  const players: ChaosPlayer[] = [];
  for (let place = 0; place < PLAYERS; place += 1) {
    const playerID = `operator-${place}`;
    const { player, cell } = await enterPlayer(fleet, { playerID, seed: SEED, place });
    launcher.remember(playerID, cell.number);
    players.push(player);
  }
  expect(new Set(launcher.cells.values()).size, 'cells with players').toBe(cells.length);
  await switchFaults(operator, faultPlan(SEED));

  const victims = [
    { times: KILLS.router, kill: restartOneOf(routers) },
    { times: KILLS.node, kill: restartOneOf(cells.flatMap(({ nodes }) => nodes)) },
    { times: KILLS.database, kill: restartOneOf(databases) },
    {
      times: KILLS.operator,
      async kill(_: () => number, place: number) {
        await operator.restart();
        await switchFaults(operator, faultPlan(SEED + place));
      },
    },
  ];
  const random = createRandom(SEED, 1_000);
  const acts = [
    // Half of the launches are of new players.
    async () => {
      const known = [...launcher.cells.keys()];
      const playerID =
        random() < 0.5 ? `launched-${known.length}` : (known[Math.floor(random() * known.length)] as string);
      for (const router of routers.keys()) await launcher.launch(playerID, router);
    },
  ];
  await playAndKill({ seed: SEED, rounds: ROUNDS, players, victims, acts });
  await switchFaults(operator, { faults: [] });
  for (const { db } of cells) await settled(db);
  await Promise.all(players.map((player) => player.playRound()));

  const counts = await expectFleetAgrees(fleet);
  expect(counts.listed).toBeGreaterThanOrEqual(ROUNDS * 0.8);
  for (const [playerID, number] of launcher.cells) {
    const cell = cells.find((each) => each.number === number);
    expect(await cell?.db.player.count({ where: { externalId: playerID } }), playerID).toBe(1);
  }
  const statuses = players.flatMap(({ calls }) => calls.map(({ status }) => status ?? 'no response'));
  const byStatus = [...new Set(statuses)].map((each) => `${statuses.filter((one) => one === each).length} × ${each}`);
  console.log(
    [
      `rounds in the cells: ${counts.rounds.join(' and ')}; players: ${counts.players.join(' and ')}; ${counts.listed} rounds in the merged list`,
      `launches: ${launcher.counts.launches}, each player always in one cell; ${launcher.counts.errors} attempts failed while something was down`,
      `responses to the players: ${byStatus.join(', ')}`,
      `killed: routers ${KILLS.router}, nodes ${KILLS.node}, databases ${KILLS.database}, the operator ${KILLS.operator} times`,
    ].join('\n'),
  );
});
