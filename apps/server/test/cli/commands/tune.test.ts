import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runRoundhouse, SAMPLE_GAME, temporaryFolder } from '../../support/roundhouse.ts';

it('writes published files with the requested RTP', async () => {
  const folder = await temporaryFolder('tune');
  const out = path.join(folder, 'tuned');
  const { code, stdout } = await runRoundhouse(['tune', SAMPLE_GAME, '--rtp', '0.945', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}RTP +96\.0000 % +94\.5000 %\n/);
  const { modes } = JSON.parse((await runRoundhouse(['verify', out, '--json'])).stdout);
  expect(modes.map(({ rtp }: { rtp: number }) => rtp)).toEqual([expect.closeTo(0.945, 9), expect.closeTo(0.945, 9)]);
  expect(await readdir(folder)).toEqual(['tuned']);

  const refusal = { code: 1, stderr: expect.stringContaining(`${out} exists: --out makes a new folder`) };
  expect(await runRoundhouse(['tune', SAMPLE_GAME, '--rtp', '0.9', '--out', out])).toMatchObject(refusal);
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
  const after = { rtp: expect.closeTo(0.95, 9), maxWinOneIn: expect.closeTo(1_000_000, 0) };
  expect(modes).toMatchObject([{ name: 'base', after }]);
});
