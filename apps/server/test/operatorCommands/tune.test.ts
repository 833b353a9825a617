import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runRoundhouse, SAMPLE_GAME, temporaryFolder } from '../support/roundhouse.ts';

it('writes published files with the RTP that was asked for', async () => {
  const folder = await temporaryFolder('tune');
  const out = path.join(folder, 'tuned');
  const { code, stdout } = await runRoundhouse(['tune', SAMPLE_GAME, '--rtp', '0.945', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}RTP +96\.0000 % +94\.5000 %\n/);
  const { modes } = JSON.parse((await runRoundhouse(['verify', out, '--json'])).stdout);
  expect(modes.map(({ rtp }: { rtp: number }) => rtp)).toEqual([expect.closeTo(0.945, 9), expect.closeTo(0.945, 9)]);
  expect(await readdir(folder)).toEqual(['tuned']);

  expect(await runRoundhouse(['tune', SAMPLE_GAME, '--rtp', '0.9', '--out', out])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${out} exists: --out makes a new folder`),
  });
});

it('takes a volatility, and names multiples in a mode with a cost', async () => {
  const args = ['tune', SAMPLE_GAME, '--rtp', '0.96', '--mode', 'BONUS', '--volatility', '0.9'];
  const { code, stdout } = await runRoundhouse(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}standard deviation, of the cost +1\.105 +0\.900\n/);
  expect(stdout).toMatch(/\n {2}median payout, of the bet +[\d.]+× +[\d.]+×\n/);
});

it('prints what would change and writes nothing without --out', async () => {
  const args = ['tune', SAMPLE_GAME, '--rtp', '0.95', '--mode', 'base', '--max-win-odds', '1000000', '--json'];
  const { modes } = JSON.parse((await runRoundhouse(args)).stdout);
  expect(modes).toMatchObject([
    { name: 'base', after: { rtp: expect.closeTo(0.95, 9), maxWinOneIn: expect.closeTo(1_000_000, 0) } },
  ]);
});

it.each([
  [['--rtp', 'much'], /'--rtp <fraction>' argument 'much' is invalid/],
  [['--rtp', '0'], /base: the RTP must be a number above 0/],
  [['--rtp', '0.96', '--mode', 'super'], /no mode super; the modes are base, bonus/],
  [
    ['--rtp', '0.96', '--hit-rate', '0.28', '--volatility', '400'],
    /base: a standard deviation of 400 is out of reach: with this RTP and this hit rate the table allows standard/,
  ],
  [['--rtp', '0.96', '--volatility', '-1'], /base: the standard deviation must be a number above 0, not -1/],
  [['--rtp', '3000', '--hit-rate', '0.3'], /base: an RTP of 300000 % is out of reach: with this hit rate/],
])('refuses %j', async (args, message) => {
  const refusal = { code: 1, stderr: expect.stringMatching(message) };
  expect(await runRoundhouse(['tune', SAMPLE_GAME, ...args])).toMatchObject(refusal);
});
