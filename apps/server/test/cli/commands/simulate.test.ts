import { expect, it } from 'vitest';
import { runRoundhouse, SAMPLE_GAME } from '../../support/roundhouse.ts';

const SEEDED = ['simulate', SAMPLE_GAME, '--mode', 'base', '--rounds', '200000', '--seed', '7', '--json'];

it('a seeded run is the same on one thread and on two, beside the figures of verify', async () => {
  const run = async (threads: string) => JSON.parse((await runRoundhouse([...SEEDED, '--threads', threads])).stdout);
  const [one, two] = [await run('1'), await run('2')];
  const { seconds: _, ...base } = one.modes[0];
  expect(two.modes).toEqual([{ ...base, seconds: expect.any(Number) }]);
  const verified = JSON.parse((await runRoundhouse(['verify', SAMPLE_GAME, '--json'])).stdout).modes[0];
  const { rtp, hitRate, standardDeviation, maxWinOneIn } = verified;
  const table = { rtp, hitRate, standardDeviation, maxWinOneIn };
  expect(base).toMatchObject({ name: 'base', rounds: 200_000, table });
  expect(one.seed).toBe(7);
  expect(base.interval.low).toBeLessThan(rtp);
  expect(base.interval.high).toBeGreaterThan(rtp);
  expect(base.rtp).toBeCloseTo(Number(base.payoutHundredths) / 100 / 200_000, 12);
  const buckets: { from: number; drawn: number; expected: number }[] = base.buckets;
  expect(buckets.reduce((sum, { drawn }) => sum + drawn, 0)).toBe(200_000);
  expect(buckets.map(({ expected }) => expected / 200_000)).toEqual(
    verified.histogram.map(({ probability }: { probability: number }) => expect.closeTo(probability, 12)),
  );
});

it('draws every mode with the generator of plays, and names multiples in a mode with a cost', async () => {
  const { code, stdout } = await runRoundhouse(['simulate', SAMPLE_GAME, '--rounds', '100000']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^base, cost 1×: 100,000 rounds in [\d.]+ s, [\d,]+ a second\n/);
  expect(stdout).toMatch(
    /\n {2}RTP +[\d.]+ % +96\.0000 %\n {2}99\.9 % interval +[\d.]+ to [\d.]+ % +(inside|OUTSIDE)\n/,
  );
  expect(stdout).toMatch(/\n {2}payout +drawn +expected\n {2}0× +[\d,]+ +71,996\n/);
  expect(stdout).toMatch(/\nbonus, cost 100×: .*\n {2}deviation, of the cost +1\.\d+ +1\.105\n/s);
  expect(stdout).toMatch(/\n {2}maximum, 1000× of the bet +[\d,]+ +16\.48\n/);
  expect(stdout).toMatch(/\n {2}chi-square of books +[\d.]+, \d+ degrees of freedom, p = [\d.e-]+\n/);
  expect(stdout).toMatch(/\nDrawn with the generator of plays\.\n$/);
});
