import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ChaosPlayer } from '../chaos/chaosPlayer.ts';
import { FAULTS, startPatroni } from './patroni.ts';
import { allServed, outagesText, playsText, playWhile, type Window } from './playWhile.ts';

// `npm run proof -- patroni --times 5 --seed 7` sets these. It needs packages of Debian, so `npm
// test` leaves it out.
const TIMES = Number(process.env.PATRONI_TIMES);
const SEED = Number(process.env.PATRONI_SEED);
const TIMEOUT_MS = 300_000 + TIMES * 180_000;

describe('a cluster of Patroni', () => {
  it.each(['hosts', 'haproxy'] as const)(
    'by %s: no acknowledged play is lost, none is doubled',
    async (address) => {
      const cluster = await startPatroni();
      try {
        const windows = { kill: [] as Window[], switchover: [] as Window[] };
        let played: readonly ChaosPlayer[] = [];
        const options = { databaseUrl: cluster.urls[address], seed: SEED, env: { ROUNDHOUSE_REQUIRE_SYNC: '1' } };
        await playWhile(options, async (players, random) => {
          played = players;
          for (let cycle = 0; cycle < TIMES; cycle += 1) {
            for (const fault of FAULTS) {
              await pause(500 + random() * 1_000);
              const fromMs = performance.now();
              await cluster.fail(fault);
              await allServed(players, performance.now());
              const window = { fromMs, untilMs: performance.now() };
              windows[fault].push(window);
              console.log(`${address}, ${fault}: ${outagesText(players, [window])}`);
              await cluster.rebuild();
            }
          }
        });
        const { rewound, copied } = await cluster.rebuilt();
        for (const fault of FAULTS) console.log(`${address}, all of ${fault}: ${outagesText(played, windows[fault])}`);
        const sum = playsText(played.flatMap(({ plays }) => plays));
        console.log(`${address}: ${sum}; ${rewound} standbys by pg_rewind, ${copied} copied`);
        expect(copied).toBe(0);
      } finally {
        await cluster.close();
      }
    },
    TIMEOUT_MS,
  );
});
