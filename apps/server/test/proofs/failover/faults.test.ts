import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { allServed, outagesText, playsText, playWhile, quantile, type Window } from './playWhile.ts';
import { canMount, startSingle } from './single.ts';

// `npm run proof -- faults --times 3 --seed 7` sets these. `npm test` leaves out these minutes.
const TIMES = Number(process.env.FAULTS_TIMES);
const SEED = Number(process.env.FAULTS_SEED);
/** The pace of the players is measured for this time before and after a fault. */
const CALM_MS = 2_000;
const FAULT_MS = 6_000;
/** PostgreSQL stays down, or its disk full, for this time at most. */
const DOWN_MS = 3_000;

type Single = Awaited<ReturnType<typeof startSingle>>;

/** `ms` is a random time. */
const FAULTS: Record<string, (single: Single, ms: number) => Promise<void>> = {
  'restart, fast': (single, ms) => single.restart('fast', ms),
  'restart, immediate': (single, ms) => single.restart('immediate', ms),
  async 'every connection ended, 5 times'(single, ms) {
    for (let times = 0; times < 5; times += 1) {
      await single.endConnections();
      await pause(ms / 5);
    }
  },
  'commits of 100 ms': (single) => single.slowDown(100, () => pause(FAULT_MS)),
  'commits of 2 s': (single) => single.slowDown(2_000, () => pause(2 * FAULT_MS)),
  'disk full, no room for tables': (single, ms) => single.fillDisk('tables', () => pause(ms)),
  'disk full, no room for the log': (single, ms) => single.fillDisk('log', () => pause(ms)),
};

type Cycle = Window & { fault: string; beforeMs: number; afterMs: number };

let single: Single | undefined;
afterAll(() => single?.close());

it(`one database fails in every way ${TIMES} times, seed ${SEED}: no acknowledged play is lost, none is doubled`, {
  timeout: 300_000 + TIMES * 300_000,
}, async () => {
  if (!(await canMount())) throw new Error('A full disk needs a file system of its own: run this as root.');
  single = await startSingle();
  const faults = Object.entries(FAULTS);
  const cycles: Cycle[] = [];
  let players: readonly ChaosPlayer[] = [];
  await playWhile({ databaseUrl: single.url, seed: SEED, walletTimeoutMs: 10_000 }, async (all, random) => {
    players = all;
    for (let times = 0; times < TIMES; times += 1) {
      for (const [fault, cause] of faults) {
        await pause(CALM_MS);
        const fromMs = performance.now();
        const beforeMs = medianMs(players, { fromMs: fromMs - CALM_MS, untilMs: fromMs });
        expect(beforeMs, 'a play before the fault').toBeLessThan(Infinity);
        await cause(single as Single, random() * DOWN_MS);
        await allServed(players, performance.now());
        const untilMs = performance.now();
        let afterMs = Infinity;
        await expect
          .poll(async () => {
            await pause(CALM_MS);
            const nowMs = performance.now();
            afterMs = medianMs(players, { fromMs: nowMs - CALM_MS, untilMs: nowMs });
            return afterMs;
          })
          .toBeLessThan(2 * beforeMs + 50);
        cycles.push({ fault, fromMs, untilMs, beforeMs, afterMs });
      }
    }
  });
  for (const [fault] of faults) report(fault, { players, cycles: cycles.filter((cycle) => cycle.fault === fault) });
  // An operator's wallet fails with the database: what became of a debit may be unknown.
  const ofHouse = players.filter(({ playerID }) => playerID.startsWith('house')).flatMap(({ calls }) => calls);
  expect(ofHouse.filter(({ status = 500, hasRetryAfter }) => status >= 400 && !hasRetryAfter)).toEqual([]);
});

/** Returns how long a play takes. */
function medianMs(players: readonly ChaosPlayer[], { fromMs, untilMs }: Window): number {
  const times = players
    .flatMap(({ calls }) => calls)
    .filter((call) => call.path === '/wallet/play' && call.sentMs >= fromMs && call.endedMs < untilMs)
    .map(({ sentMs, endedMs }) => endedMs - sentMs);
  // No player has had a response.
  if (times.length === 0) return Infinity;
  return quantile(times, 0.5);
}

function report(fault: string, { players, cycles }: { players: readonly ChaosPlayer[]; cycles: readonly Cycle[] }) {
  const isWithin = (atMs: number) => cycles.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs);
  const plays = players.flatMap((player) => player.plays).filter(({ atMs }) => isWithin(atMs));
  const calls = players.flatMap((player) => player.calls).filter(({ endedMs }) => isWithin(endedMs));
  const refused = calls.filter(({ status = 0 }) => status >= 400).length;
  const unanswered = calls.filter(({ status }) => status === undefined).length;
  const paces = cycles.map(({ beforeMs, afterMs }) => `${beforeMs} → ${afterMs}`);
  console.log(
    `${fault}: ${playsText(plays)}, ${refused} refused, ${unanswered} without a response, 0 lost, 0 doubled; ` +
      `without a success: ${outagesText(players, cycles)}; a play took ${paces} ms`,
  );
}
