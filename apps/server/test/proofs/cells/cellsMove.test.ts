import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { operatorClient } from '../../operators/api/operatorClient.ts';
import { spawnRoundhouse, succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { settled } from '../chaos/agreement.ts';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { OPERATOR_CODE } from '../chaos/processes.ts';
import { expectEachOnce, THINK_MS } from '../failover/playWhile.ts';
import { type CellDatabase, startCellDatabase } from './cellDatabase.ts';
import { enterPlayer } from './enterPlayer.ts';
import { expectFleetAgrees } from './fleetAgreement.ts';
import { createMover, type Mover } from './mover.ts';
import { type FleetCell, type ProcessFleet, startFleet } from './processFleet.ts';

// `npm run proof -- cells-move --players 1000 --kills 20 --seed 7` sets these.
const PLAYERS = Number(process.env.CELLS_MOVE_PLAYERS ?? 8);
const KILLS = Number(process.env.CELLS_MOVE_KILLS ?? 2);
const SEED = Number(process.env.CELLS_MOVE_SEED ?? 20_261_128);
/** All players together load a cell as fifty do, so that one node serves them. */
const PAUSE_MS = THINK_MS * Math.max(1, PLAYERS / 50);
/** This number of players plays in each cell meanwhile, and stays there. */
const STAYING = 2;
const ENTERED_AT_ONCE = 8;

let fleet: ProcessFleet | undefined;
let databases: CellDatabase[] = [];
afterAll(async () => {
  await fleet?.close();
  await Promise.all(databases.map((database) => database.close()));
});

it(`${PLAYERS} players move to another cell beside load, killed ${KILLS} times, seed ${SEED}: each has all rounds, once`, {
  timeout: 300_000 + PLAYERS * 3_000 + KILLS * 30_000,
}, async () => {
  databases = await Promise.all([startCellDatabase(), startCellDatabase()]);
  fleet = await startFleet({ cells: databases.map(({ url }) => ({ databaseUrl: url })), walletTimeoutMs: 30_000 });
  const { cells } = fleet;
  const [source, target] = cells as [FleetCell, FleetCell];
  const { movers, staying } = await enterAll(fleet, source);
  const list = path.join(await temporaryFolder('movers'), 'players');
  await writeFile(list, movers.map(({ playerID }) => `${playerID}\n`).join(''));

  let isOver = false;
  const random = createRandom(SEED, 0);
  const playing = [...movers, ...staying].map(async (player) => {
    while (!isOver) {
      await player.playRound();
      await pause(Math.random() * PAUSE_MS);
    }
  });
  const args = ['cell', 'move', OPERATOR_CODE, '--from', source.name, '--to', target.name];
  const moving = killAndRepeat([...args, '--players', list, '--fleet', fleet.file], { source, random });
  const runs = await Promise.race([
    moving.finally(() => {
      isOver = true;
    }),
    Promise.all(playing).then(() => moving),
  ]);
  await Promise.all(playing);
  // Each goes on in the other cell.
  for (const mover of movers) while (!(await mover.playRound()));

  for (const { db } of cells) await settled(db);
  await expectMoved(fleet, { movers, target });
  const counts = await expectFleetAgrees(fleet, { hasMoved: true });
  const fleetOption = ['--fleet', fleet.file];
  await succeed(['cell', 'forget', OPERATOR_CODE, '--from', source.name, ...fleetOption]);
  expect(await expectFleetAgrees(fleet, { hasMoved: true })).toEqual(counts);
  console.log(
    [
      `${movers.length} players moved beside ${staying.length} others; the command ran ${runs.length} times: ${runs.join(', ')}`,
      `rounds in the cells: ${counts.rounds.join(' and ')}; players: ${counts.players.join(' and ')}; each round is listed once`,
    ].join('\n'),
  );
});

async function enterAll(
  running: ProcessFleet,
  source: FleetCell,
): Promise<{ movers: Mover[]; staying: ChaosPlayer[] }> {
  const movers: Mover[] = [];
  const staying: ChaosPlayer[] = [];
  const counts = new Map(running.cells.map((cell) => [cell, 0]));
  const isComplete = () => movers.length === PLAYERS && [...counts.values()].every((count) => count === STAYING);
  for (let place = 0; !isComplete(); place += ENTERED_AT_ONCE) {
    const places = Array.from({ length: ENTERED_AT_ONCE }, (_, index) => place + index);
    await Promise.all(
      places.map(async (each) => {
        const entering = { playerID: `operator-${each}`, seed: SEED, place: 1 + each };
        const { player, cell } = await enterPlayer(running, entering);
        const count = counts.get(cell) ?? 0;
        if (count < STAYING) {
          counts.set(cell, count + 1);
          staying.push(player);
        } else if (cell === source && movers.length < PLAYERS) movers.push(createMover(running, entering));
      }),
    );
  }
  // Each has rounds that were played in the first cell.
  for (let at = 0; at < movers.length; at += ENTERED_AT_ONCE) {
    await Promise.all(movers.slice(at, at + ENTERED_AT_ONCE).map((mover) => mover.playRound()));
  }
  return { movers, staying };
}

/**
 * Kills the command KILLS times, each at a random moment of its work, and runs it again until it
 * has done everything. Returns what became of each run.
 */
async function killAndRepeat(args: readonly string[], { source, random }: Killing): Promise<string[]> {
  const runs: string[] = [];
  for (;;) {
    const before = await movesText(source);
    const command = spawnRoundhouse(args);
    if (runs.length < KILLS) {
      const due = Math.floor((PLAYERS * runs.length) / (KILLS + 1));
      const isDue = async () => (await movesText(source)) !== before && (await finishedMoves(source)) >= due;
      while (command.isRunning() && !(await isDue())) await pause(10);
      await pause(random() * 200);
      command.kill('SIGKILL');
    }
    const { code, stdout, stderr } = await command.exited;
    const finished = await finishedMoves(source);
    runs.push(code === null ? `killed when ${finished} were through` : `code ${code}`);
    if (code === 0) return runs;
    if (code !== null) expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  }
}

type Killing = { source: FleetCell; random: () => number };

async function movesText({ db }: FleetCell): Promise<string> {
  const [row] = await db.$queryRaw<{ text: string | null }[]>`
    SELECT string_agg(id || state::text, ',' ORDER BY id) AS text FROM cell_moves`;
  return row?.text ?? '';
}

async function finishedMoves({ db }: FleetCell): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM cell_moves WHERE state = 'finished'`;
  return Number(row?.count ?? 0n);
}

/** The other cell has everything that a player has seen and all that the lists show, once. */
async function expectMoved(
  { cells, url, caller }: ProcessFleet,
  { movers, target }: { movers: readonly Mover[]; target: FleetCell },
): Promise<void> {
  const client = operatorClient(url, caller);
  for (const mover of movers) {
    await expectEachOnce(target.db, mover);
    expect(mover.servers.at(-1), mover.playerID).toBe(target.url);
    for (const { db, name } of cells) {
      const rounds = await db.$queryRaw<object[]>`
        SELECT FROM rounds r JOIN players p ON p.id = r.player_id WHERE p.external_id = ${mover.playerID}`;
      if (name !== target.name) expect(rounds, `rounds of ${mover.playerID} in ${name}`).toEqual([]);
    }
    const listed: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = { limit: 100, ...(cursor !== '' && { cursor }) };
      const { status, body } = await client.playerRounds(mover.playerID, page);
      expect(status, mover.playerID).toBe(200);
      listed.push(...body.rounds.map(({ betID }: { betID: number }) => betID));
      cursor = body.cursor;
    }
    expect(new Set(listed).size, mover.playerID).toBe(listed.length);
    for (const { roundID } of mover.plays) if (roundID !== undefined) expect(listed, mover.playerID).toContain(roundID);
  }
}
