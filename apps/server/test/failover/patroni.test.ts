import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FAULTS, startPatroni } from './patroni.ts';
import { allServed, outagesOf, playWhile, quantile } from './playWhile.ts';

// `npm run proof -- patroni --times 5 --seed 7` sets these. It needs packages of Debian, so `npm test`
// leaves it out.
const TIMES = Number(process.env.PATRONI_TIMES);
const SEED = Number(process.env.PATRONI_SEED);
const TIMEOUT_MS = 300_000 + TIMES * 180_000;

describe('a cluster of Patroni', () => {
  it.each(['hosts', 'haproxy'] as const)(
    'by %s: no acknowledged play is lost, none is doubled',
    async (address) => {
      const cluster = await startPatroni();
      try {
        const outages = { kill: [] as number[], switchover: [] as number[] };
        let sum = '';
        const options = { databaseUrl: cluster.urls[address], seed: SEED, env: { ROUNDHOUSE_REQUIRE_SYNC: '1' } };
        await playWhile(options, async (players, random) => {
          for (let cycle = 0; cycle < TIMES; cycle += 1) {
            for (const fault of FAULTS) {
              await pause(500 + random() * 1_000);
              const fromMs = performance.now();
              await cluster.fail(fault);
              await allServed(players, performance.now());
              const own = outagesOf(players, { fromMs, untilMs: performance.now() });
              outages[fault].push(...own);
              console.log(`${address}, ${fault}: ${quantiles(own)}`);
              await cluster.rebuild();
            }
          }
          const plays = players.flatMap((player) => player.plays);
          const uncertain = plays.filter(({ roundID }) => roundID === undefined).length;
          sum = `${plays.length} plays, ${uncertain} of them without a certain response`;
        });
        const { rewound, copied } = await cluster.rebuilt();
        for (const fault of FAULTS) console.log(`${address}, all of ${fault}: ${quantiles(outages[fault])}`);
        console.log(`${address}: ${sum}; ${rewound} standbys by pg_rewind, ${copied} copied`);
        expect(copied).toBe(0);
      } finally {
        await cluster.close();
      }
    },
    TIMEOUT_MS,
  );
});

function quantiles(outages: readonly number[]): string {
  const sorted = outages.toSorted((one, other) => one - other);
  return `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms`;
}
