import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { expectOneLine, runRoundhouse, SAMPLE_GAME, temporaryFolder } from '../../support/roundhouse.ts';

it('writes the sheet of a game as a page', async () => {
  const out = path.join(await temporaryFolder('sheet'), 'sheet.html');
  const { code, stdout } = await runRoundhouse(['sheet', SAMPLE_GAME, '--out', out]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Open ${out} in a browser, and print it.\n` });
  const page = await readFile(out, 'utf8');
  expect(page).toMatch(/^<!doctype html>\n.*<title>Sample Lines: game sheet<\/title>/s);
  const { sha256 } = JSON.parse((await runRoundhouse(['verify', SAMPLE_GAME, '--json'])).stdout);
  expect(page).toContain(sha256);
});

it('refuses a folder without a game, and writes nothing', async () => {
  const folder = await temporaryFolder('nothing');
  const exit = await runRoundhouse(['sheet', folder, '--out', path.join(folder, 'sheet.html')]);
  expectOneLine(exit, /neither a game nor published math$/m);
  await expect(readFile(path.join(folder, 'sheet.html'))).rejects.toThrow('ENOENT');
});
