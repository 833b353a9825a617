import { expect, test } from 'vitest';
import type { Figures } from '../sections/measureInTurn.ts';
import type { RateCell } from '../sections/rates.ts';
import { checksOf } from './checks.ts';

const figures = (perSecond: number): Figures => ({
  perSecond,
  latency: undefined,
  endRound: undefined,
  cpu: { generatorMicros: undefined, serverMicros: undefined, postgresMicros: undefined },
  samples: [perSecond],
});
const rate = (target: RateCell['target'], connections: number, perSecond: number): RateCell => ({
  target,
  connections,
  workload: 'play',
  ...figures(perSecond),
});

test('the best number of connections of each is what counts', () => {
  const rates = [
    rate('roundhouse', 32, 2000),
    rate('roundhouse', 128, 3000),
    rate('pgbench', 8, 2500),
    rate('statements', 32, 2900),
    // No floor: it is our own code.
    rate('batches', 32, 9000),
    rate('naive', 1, 200),
    rate('naive', 32, 300),
    { ...rate('roundhouse', 1, 99_000), workload: 'balance' as const },
  ];
  const [floor, naive, ...others] = checksOf({ rates });
  expect(floor).toMatchObject({ value: 3000 / 2900, target: '≥ 1.00', ok: true });
  expect(naive).toMatchObject({ value: 10, target: '≥ 12.00', ok: false });
  expect(others).toEqual([]);
});

test('a 99th percentile of 15 ms misses its target', () => {
  const latency = {
    perSecond: 1,
    p50Ms: 1,
    p999Ms: 40,
    waited: 0,
    ratePerSecond: 1,
    seconds: 1,
    connections: 1,
    samples: [],
  };
  expect(checksOf({ rates: [], latency: { ...latency, p99Ms: 14.9 } })).toMatchObject([{ value: 14.9, ok: true }]);
  expect(checksOf({ rates: [], latency: { ...latency, p99Ms: 15 } })).toMatchObject([{ value: 15, ok: false }]);
});

test('every larger database is compared with the smallest', () => {
  const grown = (players: number, pastRounds: number, perSecond: number) => {
    return { players, pastRounds, active: 1, connections: 1, proven: true, ...figures(perSecond) };
  };
  const growth = [grown(1000, 5000, 850), grown(10, 5000, 840), grown(1000, 0, 990), grown(10, 0, 1000)];
  expect(checksOf({ rates: [], growth }).map(({ value, ok }) => [value, ok])).toEqual([
    [0.99, true],
    [0.84, false],
    [0.85, true],
  ]);
});
