import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { amountText } from '../../base/terminal/amountText.ts';
import { readGameFile } from '../../rounds/games/gameFile.ts';
import { loadGame } from '../../rounds/games/loadGame.ts';
import { locateGame } from '../../rounds/games/locateGame.ts';
import { gameSheet } from './gameSheet.ts';
import { sheetPage } from './sheetPage.ts';

const HOSTILE = `"><script>alert('1')</script>&amp;`;
const UNIT = 1_000_000;
const bets = (unit: number) => ({
  ...{ minBet: unit, maxBet: 1000 * unit, stepBet: unit, defaultBetLevel: unit, betLevels: [unit, 1000 * unit] },
});
const GAME = {
  ...{ id: 'hostile', version: '1.0.0', title: HOSTILE, thumbnail: 'assets/tile.svg', languages: ['en', 'pt'] },
  betLimits: { default: bets(UNIT / 10), USD: bets(UNIT / 10), JPY: bets(10 * UNIT) },
  modes: { BONUS: { feature: true } },
};
/** The page's tags name a script and a style sheet; the script imports one module at once. */
const FRONTEND = {
  'index.html': `<script type="module" src="./assets/a.js"></script><link rel="stylesheet" href="assets/a.css">
<link rel="canonical" href="assets/late.js"><script src="https://cdn.example/x.js"></script><img src="data:image/png;base64,">`,
  'assets/a.js': 'import{b}from"./b.js";b();const c=()=>import("./late.js");',
  'assets/b.js': 'import"./a.js";export const b=()=>{};',
  'assets/late.js': 'late'.repeat(1000),
  'assets/a.css': 'body{}',
  'assets/tile.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

const root = await temporaryFolder('sheet');

type Files = { gameFile?: object; frontend?: Record<string, string> };

async function writeGame(name: string, { gameFile, frontend }: Files) {
  const folder = path.join(root, name);
  const books = (payouts: number[]) =>
    payouts.map((payoutMultiplier, id) => ({ id, payoutMultiplier, weight: 1, events: [{ type: 'end' }] }));
  await publishMath(path.join(folder, gameFile === undefined ? '' : 'math'), [
    { name: 'BASE', cost: 1, books: books([0, 50, 238]) },
    { name: 'BONUS', cost: 4, books: books([0, 768]) },
  ]);
  if (gameFile) await writeFile(path.join(folder, 'game.json'), JSON.stringify(gameFile));
  for (const [file, content] of Object.entries(frontend ?? {})) {
    await mkdir(path.dirname(path.join(folder, 'frontend', file)), { recursive: true });
    await writeFile(path.join(folder, 'frontend', file), content);
  }
  return folder;
}

async function sheetOf(folder: string) {
  const loaded = await loadGame({ folder, storeFolder: path.join(root, 'store') });
  if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
  const found = await locateGame(folder);
  if (found === undefined) throw new Error(`${folder} is no game`);
  const read = found.gameFile === undefined ? undefined : await readGameFile(found.gameFile);
  const made = { at: new Date('2030-01-31T12:00:00Z'), by: '1.2.3' };
  const sheet = await gameSheet({ found, game: loaded.game, gameFile: read?.ok ? read.value : undefined, made });
  await loaded.game.math.close();
  return sheet;
}

describe('the sheet of a game', () => {
  it('has the numbers of verify, with the class of volatility', async () => {
    const { modes } = await sheetOf(await writeGame('figures', { gameFile: GAME, frontend: FRONTEND }));
    expect(modes).toMatchObject([
      { name: 'BASE', rtp: 0.96, volatility: 'low', feature: false, maxWin: '2.38', maxWinOneIn: 3 },
      { name: 'BONUS', rtp: 0.96, volatility: 'low', feature: true, maxWin: '7.68', cost: '4' },
    ]);
  });

  it('has a row of bets for currencies that share them', async () => {
    const { bets: rows } = await sheetOf(path.join(root, 'figures'));
    expect(rows.map(({ currencies, others }) => [currencies, others.length > 100])).toEqual([
      [['USD'], true],
      [['JPY'], false],
    ]);
  });

  it.each([
    ['default', /Counted above: USD, CAD, .*<strong>not scaled<\/strong>.* from 0\.1 JPY: JPY, RUB, .*, IDR, /s],
    ['scaled', /<td>IDR, VND, [^<]*<\/td><td class="number">1,000<\/td>/],
  ])('names the currencies in which bets by %s are small', async (name, line) => {
    const betLimits = { [name]: bets(UNIT / 10) };
    const page = sheetPage(await sheetOf(await writeGame(name, { gameFile: { ...GAME, betLimits } })));
    expect(page).toMatch(line);
    expect(page.includes('not scaled')).toBe(name === 'default');
    // Pounds are worth more than dollars, and have the same numbers either way.
    expect(page).toMatch(/Counted above: [A-Z, ]*GBP/);
  });

  it('has the files that the page loads at first, and each file with its hash', async () => {
    const { files } = await sheetOf(path.join(root, 'figures'));
    const loaded = ['index.html', 'assets/a.js', 'assets/b.js', 'assets/a.css'] as const;
    expect(files.firstLoad).toMatchObject({
      files: 4,
      bytes: loaded.reduce((sum, name) => sum + FRONTEND[name].length, 0),
      elsewhere: ['https://cdn.example/x.js'],
    });
    expect(files.frontend.map(({ name }) => name).sort()).toEqual(Object.keys(FRONTEND).sort());
    const hash = createHash('sha256').update(FRONTEND['assets/a.css']).digest('hex');
    expect(files.frontend.find(({ name }) => name === 'assets/a.css')?.sha256).toBe(hash);
    expect(files.math.map(({ name }) => name)[0]).toBe('index.json');
    expect(files.math).toHaveLength(5);
  });

  it('has what each table and its books are committed to', async () => {
    const sheet = await sheetOf(path.join(root, 'figures'));
    const page = sheetPage(sheet);
    for (const { name, books, totalWeight, files, merkleRoot } of sheet.modes) {
      expect(merkleRoot).toMatch(/^[0-9a-f]{64}$/);
      expect(page).toContain(`<tr><td>${name}: SHA-256 of ${files.table.name}</td><td>${files.table.sha256}</td></tr>`);
      const rootName = `${name}: Merkle root of ${books} rows, total weight ${totalWeight}`;
      expect(page).toContain(`<tr><td>${rootName}</td><td>${merkleRoot}</td></tr>`);
    }
  });

  it('is one page without scripts, with everything that files say escaped', async () => {
    const page = sheetPage(await sheetOf(path.join(root, 'figures')));
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(');
    expect(page).not.toMatch(/<script|<link|<iframe|<[^>]*\son\w+=|url\(|@import/i);
    expect(page.match(/<img [^>]*>/g)).toEqual([
      expect.stringMatching(/^<img src="data:image\/svg\+xml;base64,[\w+/=]+" alt="">$/),
      expect.stringMatching(/^<img class="logo" src="data:image\/svg\+xml;base64,[\w+/=]+" alt="Roundhouse">$/),
    ]);
    expect(page).toContain(`default-src 'none'`);
    expect(page).toContain('2: English, Portuguese.');
    expect(page).toMatch(/<td>USD and \d+ other currencies<\/td>/);
    expect(page).toMatch(/2\.38× of the bet<\/td>/);
    expect(page).toContain('7.68× of the bet<br><small>1.92× of the cost</small>');
    expect(page).toContain('Loaded from elsewhere: https://cdn.example/x.js.');
    expect(page).toContain('on 2030-01-31 from the published files');
  });

  it('of published files alone says what they do not have', async () => {
    const page = sheetPage(await sheetOf(await writeGame('bare', {})));
    expect(page).toContain('There is no front end among these files.');
    expect(page.match(/<img /g)).toHaveLength(1);
    expect(page).not.toContain('first load');
    const gameFile = { ...GAME, languages: undefined };
    const undeclared = await writeGame('undeclared', { gameFile, frontend: FRONTEND });
    expect(sheetPage(await sheetOf(undeclared))).toContain('does not declare its languages');
  });
});

it.each([
  [100_000, 'USD', '0.10'],
  [1_234_500_000, 'EUR', '1,234.50'],
  [1_000_000, 'EUR', '1'],
  [10_000_000_000, 'JPY', '10,000'],
  [123, 'USD', '0.000123'],
])('%d micros of %s are %s', (micros, currency, text) => {
  expect(amountText(micros, currency)).toBe(text);
});
