import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { operatorClient } from '../../operators/api/operatorClient.ts';
import { settled } from '../chaos/agreement.ts';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { startPair } from '../failover/pair.ts';
import { allServed, expectEachOnce, playDuring, quantile, type Window } from '../failover/playWhile.ts';
import { type CellDatabase, startCellDatabase } from './cellDatabase.ts';
import { enterPlayer } from './enterPlayer.ts';
import { expectFleetAgrees } from './fleetAgreement.ts';
import { createLauncher } from './launcher.ts';
import { type ProcessFleet, startFleet } from './processFleet.ts';

// `npm run proof -- cells-away --seconds 30 --seed 7` sets these.
const CALM_MS = Number(process.env.CELLS_AWAY_SECONDS ?? 2) * 1_000;
const SEED = Number(process.env.CELLS_AWAY_SEED ?? 20_261_128);
const PLAYERS = process.env.CELLS_AWAY_SECONDS === undefined ? 4 : 20;
/** A request that the router has sent to the hanging cell gets ERR_GEN after this time. */
const CELL_SECONDS = 2;
const TAKEOVER_MS = 1_500;

let fleet: ProcessFleet | undefined;
let first: CellDatabase | undefined;
let pair: Awaited<ReturnType<typeof startPair>> | undefined;
afterAll(async () => {
  await fleet?.close();
  await first?.close();
  await pair?.close();
});

it(`the database of cell B hangs, then fails over to its standby, seed ${SEED}: no request of cell A fails`, {
  timeout: 300_000 + 20 * CALM_MS,
}, async () => {
  [first, pair] = await Promise.all([startCellDatabase(), startPair()]);
  const databases = [first, pair];
  fleet = await startFleet({
    cells: databases.map(({ url }) => ({ databaseUrl: url })),
    walletTimeoutMs: 30_000,
    routerEnv: { ROUNDHOUSE_CELL_SECONDS: String(CELL_SECONDS) },
  });
  const { cells, caller, routers } = fleet;
  const [a, b] = cells as [(typeof cells)[number], (typeof cells)[number]];
  const launcher = createLauncher(fleet);
  const of = new Map<string, ChaosPlayer[]>([
    [a.name, []],
    [b.name, []],
  ]);
  // Each cell has this number of players and one more, wherever the names put them.
  for (let place = 0; [...of.values()].some(({ length }) => length <= PLAYERS); place += 1) {
    const { player, cell } = await enterPlayer(fleet, { playerID: `operator-${place}`, seed: SEED, place });
    launcher.remember(player.playerID, cell.number);
    of.get(cell.name)?.push(player);
  }
  const [ofA = [], ofB = []] = of.values();
  const waiting = ofB.pop() as ChaosPlayer;
  await waiting.playRound();
  const lists = () => operatorClient((routers[0] as { url: string }).url, caller).rounds();
  const running = pair;
  const windows: Record<string, Window> = {};
  const during = async (name: string, work: () => Promise<unknown>) => {
    const fromMs = performance.now();
    await work();
    windows[name] = { fromMs, untilMs: performance.now() };
  };

  await playDuring({ players: [...ofA, ...ofB], seed: SEED }, async () => {
    await during('before', () => pause(CALM_MS));
    await running.fail('stop');
    let played: Promise<void> | undefined;
    await during('B hangs', async () => {
      // The others may wait for responses all the time, and send nothing.
      played = waiting.playRound();
      await pause(CALM_MS);
      const { status, body } = await lists();
      expect([status, body.error]).toEqual([500, 'ERR_GEN']);
      expect(body.message).toContain(b.name);
      const known = (ofA[0] as ChaosPlayer).playerID;
      const ofHanging = (ofB[0] as ChaosPlayer).playerID;
      for (const router of routers.keys()) {
        await launcher.launch(known, router);
        // A node of B refuses when its database is known to be away, or when all of its requests
        // wait.
        const refusals = new RegExp(`${b.name}|too much to do|could not do this`);
        expect(await launcher.tryOnce(ofHanging, router)).toMatch(refusals);
      }
    });
    await running.heal();
    await Promise.all([played, allServed(ofB, performance.now())]);
    expect((await lists()).status).toBe(200);
    await during('between', () => pause(CALM_MS));
    await during('B fails over', async () => {
      await running.fail('kill');
      await pause(TAKEOVER_MS);
      await running.promote();
      await allServed(ofB, performance.now());
    });
    await running.rebuild();
    await during('after', () => pause(CALM_MS));
  });

  for (const { db } of cells) await settled(db);
  for (const player of ofA) await expectEachOnce(a.db, player);
  for (const player of [...ofB, waiting]) await expectEachOnce(b.db, player);
  const counts = await expectFleetAgrees(fleet);
  // The first play of each comes before its session is authenticated, and is refused.
  const all = { fromMs: (windows.before as Window).fromMs, untilMs: (windows.after as Window).untilMs };
  const failedAtA = callsWithin(ofA, all).filter(({ status }) => status !== 200);
  expect(failedAtA, 'requests of players of cell A without a success').toEqual([]);
  const hanging = windows['B hangs'] as Window;
  const hangs = callsWithin([...ofB, waiting], hanging);
  expect(hangs.length, 'requests of players of cell B while it hangs').toBeGreaterThan(0);
  expect(hangs.filter(({ status, endedMs }) => status === 200 && endedMs < hanging.untilMs)).toEqual([]);
  // ERR_GEN, or the player has waited for long enough.
  expect(hangs.filter(({ status = 500 }) => status !== 200 && status !== 500)).toEqual([]);
  for (const [name, window] of Object.entries(windows)) {
    const [timesA, timesB] = [ofA, ofB].map((players) => textOf(callsWithin(players, window)));
    console.log(`${name}: A ${timesA}; B ${timesB}`);
  }
  console.log(`0 of ${counts.listed} rounds lost, 0 doubled; rounds in the cells: ${counts.rounds.join(' and ')}`);
});

/** Returns the requests that were sent in this time. */
function callsWithin(players: readonly ChaosPlayer[], { fromMs, untilMs }: Window): ChaosPlayer['calls'] {
  return players.flatMap(({ calls }) => calls).filter(({ sentMs }) => sentMs >= fromMs && sentMs < untilMs);
}

function textOf(calls: ChaosPlayer['calls']): string {
  const times = calls.filter(({ path }) => path === '/wallet/play').map(({ sentMs, endedMs }) => endedMs - sentMs);
  const failed = calls.filter(({ status }) => status !== 200).length;
  return `${times.length} plays, p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms, ${failed} of ${calls.length} requests without a success`;
}
