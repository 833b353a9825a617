import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, it } from 'vitest';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { FAULTS, type Fault, startPair } from './pair.ts';
import { allServed, FEW_PLAYERS, outagesOf, playWhile, quantile, type Window } from './playWhile.ts';

// `npm run proof -- failover --times 30 --seed 7` sets these.
const { FAILOVER_TIMES } = process.env;
const TIMES = Number(FAILOVER_TIMES ?? 2);
const SEED = Number(process.env.FAILOVER_SEED ?? 20_261_123);
/** Until somebody promotes the standby, at most. Longer than a request waits, every fourth time. */
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

/** The outage of a player is the longest time without a success, from the fault on. */
function report(players: readonly ChaosPlayer[], cycles: readonly Cycle[]): void {
  const outages = cycles.map((cycle) => ({ cycle, ...outagesByWallet(players, cycle) }));
  for (const { cycle, house, operator } of outages)
    console.log(`${cycle.fault}, promoted after ${Math.round(cycle.takeoverMs)} ms: ${lineOf(house, operator)}`);
  for (const kind of [...FAULTS, 'late']) {
    const some = outages.filter(({ cycle: { fault, takeoverMs } }) =>
      takeoverMs === TAKEOVER_MS.late ? kind === 'late' : kind === fault,
    );
    const all = (wallet: 'house' | 'operator') => some.flatMap((each) => each[wallet]).sort((one, two) => one - two);
    console.log(`${some.length} times ${kind}: ${lineOf(all('house'), all('operator'))}`);
  }
  const plays = players.flatMap((player) => player.plays);
  const uncertain = plays.filter(({ roundID }) => roundID === undefined).length;
  console.log(`${plays.length} plays, ${uncertain} of them without a certain response`);
}

function outagesByWallet(players: readonly ChaosPlayer[], window: Window) {
  const of = (wallet: string) =>
    outagesOf(
      players.filter(({ playerID }) => playerID.startsWith(wallet)),
      window,
    );
  return { house: of('house'), operator: of('operator') };
}

function lineOf(house: readonly number[], operator: readonly number[]): string {
  const text = (name: string, sorted: readonly number[]) =>
    `${name} p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms`;
  return `${text('house', house)}; ${text('operator', operator)}`;
}
