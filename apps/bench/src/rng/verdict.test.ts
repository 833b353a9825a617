import { expect, it } from 'vitest';
import { parseDieharder } from './dieharder.ts';
import { chanceOfSuspects, isSuspect, judge, type Result } from './verdict.ts';

it('99 % confidence has both ends', () => {
  expect([0, 0.0049, 0.0051, 0.5, 0.9949, 0.9951, 1].map(isSuspect)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
});

it('a suspect is tested once more, and fails when both runs are outside', async () => {
  let runs = 0;
  const again = async (): Promise<Result[]> => {
    runs += 1;
    return [
      { name: 'a', p: 0.3 },
      { name: 'b', p: 0.999 },
    ];
  };
  const results = ['a', 'b', 'c'].map((name) => ({ name, p: 0.001, again }));
  expect(await judge([{ name: 'd', p: 0.5, again }, ...results, { name: 'e', p: 0.001 }])).toEqual([
    { name: 'd', p: 0.5, verdict: 'passed' },
    { name: 'a', p: 0.001, second: 0.3, verdict: 'passed again' },
    { name: 'b', p: 0.001, second: 0.999, verdict: 'FAILED' },
    // The second run did not give it.
    { name: 'c', p: 0.001, second: 0, verdict: 'FAILED' },
    { name: 'e', p: 0.001, verdict: 'FAILED' },
  ]);
  expect(runs).toBe(1);
});

it('this number of suspects or more comes with the probability of the binomial distribution', () => {
  expect(chanceOfSuspects(0, 100)).toBe(1);
  expect(chanceOfSuspects(1, 100)).toBeCloseTo(1 - 0.99 ** 100, 12);
  // scipy.stats.binom.sf(3, 100, 0.01) gives this number.
  expect(chanceOfSuspects(4, 100)).toBeCloseTo(0.018374, 5);
});

it('reads the results of dieharder', () => {
  const output = `
#=============================================================================#
#            dieharder version 3.31.1 Copyright 2003 Robert G. Brown          #
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
       diehard_craps|   0|    200000|     100|0.99994657|   WEAK
       diehard_craps|   0|    200000|     100|0.12668809|  PASSED
          sts_serial|  16|    100000|     100|0.65501100|  PASSED
`;
  expect(parseDieharder(output)).toEqual([
    { name: 'diehard_craps, 0', p: 0.99994657 },
    { name: 'diehard_craps, 0, value 2', p: 0.12668809 },
    { name: 'sts_serial, 16', p: 0.655011 },
  ]);
});
