import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MathPackage, verifyReport } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GAME_VERSION, MODE_COST_HUNDREDTHS, MODES, STATISTICS_FILE } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';
import { openPublished, type PublishedMath } from './openPublished.ts';
import { SMALL_LIST, SMALL_VERSION } from './smallEdition.ts';
import { statisticsOf } from './statisticsFile.ts';

/** The package's `build:math` writes it, and `build:small` the small edition. */
const fullFolder = fileURLToPath(new URL('../dist/', import.meta.url));
const smallFolder = join(fullFolder, 'small');

const opened: PublishedMath[] = [];
let full: MathPackage;
let small: MathPackage;

beforeAll(async () => {
  for (const folder of [fullFolder, smallFolder]) opened.push(await openPublished(folder));
  [full, small] = opened.map(({ math }) => math) as [MathPackage, MathPackage];
});

afterAll(async () => {
  for (const { close } of opened) await close();
});

it('is another version of the same game, small enough for a package', async () => {
  const game = JSON.parse(await readFile(join(smallFolder, 'game.json'), 'utf8'));
  expect(game).toEqual({ ...gameSettings, version: SMALL_VERSION });
  const files = await readdir(join(smallFolder, 'math'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(smallFolder, 'math', file))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
});

it('gives no warning in the report', () => {
  expect(verifyReport(small).warnings).toEqual([]);
});

it('is that of its version, byte for byte, which never changes', () => {
  expect(small.sha256).toBe('9ee75f08988609d37fb3415e6fcffed9ee401ba20bdf212d466bcfb26c3a92c4');
});

it('has the rounds that a choice of all books gives', async () => {
  const chosen = await readFile(join(fullFolder, SMALL_LIST), 'utf8');
  await expect(chosen).toMatchFileSnapshot(SMALL_LIST);
});

it('comes, like all books, with the statistics of its published files for the rules page', async () => {
  const text = await readFile(join(fullFolder, STATISTICS_FILE), 'utf8');
  expect(JSON.parse(text)).toEqual(statisticsOf(full, GAME_VERSION));
  await expect(text).toMatchFileSnapshot(join('../public', STATISTICS_FILE));
  const own = await readFile(join(smallFolder, 'frontend', STATISTICS_FILE), 'utf8');
  expect(JSON.parse(own)).toEqual(statisticsOf(small, SMALL_VERSION));
});

describe.each(MODES)('mode %s', (name) => {
  it('returns exactly 96 % of its cost', () => {
    const mode = small.modes.get(name);
    let paid = 0n;
    for (const { weight, payoutMultiplier } of mode?.books() ?? []) paid += weight * payoutMultiplier;
    expect(paid * 100n).toBe((mode?.totalWeight ?? 0n) * BigInt(MODE_COST_HUNDREDTHS[name]) * 96n);
  });

  it('wins about as often as all books do, and as much at most', () => {
    const [few, all] = [small, full].map((math) => verifyReport(math).modes.find((mode) => mode.name === name));
    expect(few?.maxWin).toBe(all?.maxWin);
    expect((few?.hitRate ?? 0) / (all?.hitRate ?? 1)).toBeCloseTo(1, 1);
    expect((few?.maxWinOneIn ?? 0) / (all?.maxWinOneIn ?? 1)).toBeCloseTo(1, 1);
    expect((few?.standardDeviation ?? 0) / (all?.standardDeviation ?? 1)).toBeCloseTo(1, 1);
  });

  it('keeps the events of its books as they were', () => {
    const [few, all] = [small, full].map((math) => math.modes.get(name));
    for (const { bookID, position } of [...(few?.books() ?? [])].slice(0, 100)) {
      const original = all?.find(bookID)?.position ?? -1;
      expect(JSON.parse(String(few?.readEvents(position)))).toEqual(JSON.parse(String(all?.readEvents(original))));
    }
  });
});
