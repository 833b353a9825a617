import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, it } from 'vitest';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { FAULTS, type Fault, startPair } from './pair.ts';
import { allServed, FEW_PLAYERS, outagesText, playsText, playWhile, type Window } from './playWhile.ts';

// `npm run proof -- failover --times 30 --seed 7` sets these.
const { FAILOVER_TIMES } = process.env;
const TIMES = Number(FAILOVER_TIMES ?? 2);
const SEED = Number(process.env.FAILOVER_SEED ?? 20_261_123);
/** A standby is promoted within this time. Every fourth time outlasts a request. */
const TAKEOVER_MS = { usual: 1_500, late: 8_000 };

type Cycle = Window & { fault: Fault; takeoverMs: number };

let pair: Awaited<ReturnType<typeof startPair>> | undefined;
afterAll(() => pair?.close());

it(`${TIMES} times the database fails over, seed ${SEED}: no acknowledged play is lost, none is doubled`, {
  timeout: 300_000 + TIMES * 60_000,
}, async () => {
  pair = await startPair();
  const cycles: Cycle[] = [];
  let players: readonly ChaosPlayer[] = [];
  const few = FAILOVER_TIMES === undefined && { players: FEW_PLAYERS };
  const options = { databaseUrl: pair.url, seed: SEED, env: { ROUNDHOUSE_REQUIRE_SYNC: '1' }, ...few };
  await playWhile(options, async (all, random) => {
    players = all;
    while (cycles.length < TIMES) cycles.push(await failOver(players, { random, place: cycles.length }));
  });
  report(players, cycles);
});

async function failOver(
  players: readonly ChaosPlayer[],
  { random, place }: { random: () => number; place: number },
): Promise<Cycle> {
  const running = pair as NonNullable<typeof pair>;
  await pause(500 + random() * 1_000);
  const fault = FAULTS[Math.floor(random() * FAULTS.length)] as Fault;
  const takeoverMs = place % 4 === 3 ? TAKEOVER_MS.late : random() * TAKEOVER_MS.usual;
  const fromMs = performance.now();
  await running.fail(fault);
  await pause(takeoverMs);
  await running.promote();
  await allServed(players, performance.now());
  // Half of the time the earlier primary is back and still takes writes.
  if (fault !== 'kill' && random() < 0.5) {
    await running.wake();
    await pause(random() * 1_000);
  }
  const untilMs = performance.now();
  await running.rebuild();
  return { fault, takeoverMs, fromMs, untilMs };
}

function report(players: readonly ChaosPlayer[], cycles: readonly Cycle[]): void {
  for (const cycle of cycles)
    console.log(`${cycle.fault}, promoted after ${Math.round(cycle.takeoverMs)} ms: ${outagesText(players, [cycle])}`);
  const isLate = ({ takeoverMs }: Cycle) => takeoverMs === TAKEOVER_MS.late;
  for (const kind of [...FAULTS, 'late']) {
    const some = cycles.filter((cycle) => (isLate(cycle) ? 'late' : cycle.fault) === kind);
    console.log(`${some.length} times ${kind}: ${outagesText(players, some)}`);
  }
  console.log(playsText(players.flatMap(({ plays }) => plays)));
}
