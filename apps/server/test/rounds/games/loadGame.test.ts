import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  betConfigIssues,
  DEFAULT_JURISDICTION,
  KNOWN_CURRENCY_CODES,
  playRequestSchema,
  toMicros,
} from '@roundhouse/contract';
import { publishMath } from '@roundhouse/math';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/rounds/games/catalogue.ts';
import { readGameFile } from '../../../src/rounds/games/gameFile.ts';
import { loadGame } from '../../../src/rounds/games/loadGame.ts';
import { openPublished } from '../../../src/rounds/games/loadGames.ts';
import { locateAll, locateGames } from '../../../src/rounds/games/locateGame.ts';
import { priceBet } from '../../../src/rounds/play/play.ts';
import { writeFixtureFiles } from '../../support/fixtureGame.ts';

let root: string;
let storeFolder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-games-'));
  storeFolder = path.join(root, 'store');
});
afterEach(() => rm(root, { recursive: true, force: true }));

type TestMode = { name: string; cost: number; payouts?: number[] };

async function publish(folder: string, modes: TestMode[]): Promise<string> {
  await publishMath(
    folder,
    modes.map(({ name, cost, payouts = [0, 150] }) => ({
      name,
      cost,
      books: payouts.map((payoutMultiplier, id) => ({ id, payoutMultiplier, events: [{ type: 'end' }], weight: 1n })),
    })),
  );
  return folder;
}

const writeJson = (file: string, content: object) => writeFile(file, JSON.stringify(content));

async function load(folder: string) {
  const loaded = await loadGame({ folder, storeFolder });
  if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
  await loaded.game.math.close();
  return loaded.game;
}

async function issuesOf(folder: string): Promise<string> {
  const loaded = await loadGame({ folder, storeFolder });
  expect(loaded.ok).toBe(false);
  return loaded.ok ? '' : loaded.issues.join('\n');
}

const modeSettings = (game: Awaited<ReturnType<typeof load>>) =>
  Object.fromEntries([...game.modes.values()].map(({ key, autoClose, feature }) => [key, { autoClose, feature }]));

type GameFile = Record<string, any>;

/** None of these is the path of a picture of a front end. */
const PICTURES = ['../tile.svg', '/tile.svg', 'a/../../tile.svg', '.hidden/tile.svg', 'tile.html', 'http://a/tile.svg'];

/** Writes a game folder whose game.json is the fixture's, changed. */
async function gameFolder(change: (gameFile: GameFile) => unknown): Promise<string> {
  const folder = path.join(root, 'game');
  await mkdir(folder);
  await writeFixtureFiles(folder);
  const file = path.join(folder, 'game.json');
  const content = JSON.parse(await readFile(file, 'utf8'));
  change(content);
  await writeJson(file, content);
  return folder;
}

/**
 * Expects that each level that the game offers is a bet in each mode, as the publisher's web SDK
 * sends it.
 */
function expectEveryLevelPlays(game: Awaited<ReturnType<typeof load>>): void {
  const rules = { jurisdiction: DEFAULT_JURISDICTION, walletUnit: undefined };
  for (const currency of game.currencies) {
    const bets = game.betSettings(currency);
    expect(bets && betConfigIssues(bets)).toEqual([]);
    for (const level of [...(bets?.betLevels ?? []), bets?.defaultBetLevel, bets?.minBet, bets?.maxBet]) {
      // It divides a level to show it, and multiplies what it sends.
      const sent = JSON.stringify((Number(level) / 1_000_000) * 1_000_000);
      const { amount } = playRequestSchema.parse({ sessionID: 's', mode: 'base', amount: JSON.parse(sent) });
      for (const mode of game.modes.keys()) {
        const { ok } = priceBet(game, { currency, ...rules }, { amount: toMicros(amount), mode });
        if (amount !== level || !ok) expect.fail(`${sent} in ${currency}, mode ${mode}, is ${amount}: ${ok}`);
      }
    }
  }
}

describe('every level in every currency is a bet, as the web SDK of the publisher sends it', () => {
  it('of a bare set of published files', async () => {
    expectEveryLevelPlays(await load(await publish(path.join(root, 'game'), [{ name: 'base', cost: 1 }])));
  });

  it('of a game whose levels are all tenths up to 10 units', async () => {
    const betLevels = Array.from({ length: 100 }, (_, index) => (index + 1) * 100_000);
    const limits = { minBet: 100_000, maxBet: 10_000_000, stepBet: 100_000, defaultBetLevel: 4_100_000, betLevels };
    expect(betLevels.filter((level) => (level / 1_000_000) * 1_000_000 !== level)).not.toEqual([]);
    expectEveryLevelPlays(
      await load(await gameFolder((file) => Object.assign(file, { betLimits: { scaled: limits } }))),
    );
  });
});

describe('a bare set of published files', () => {
  const bare = [
    { name: 'base', cost: 1 },
    { name: 'ante', cost: 1.25 },
    { name: 'bonus', cost: 100 },
  ];

  it('has its name from the folder, its version from the content, closes losing rounds, and finds features by price', async () => {
    const game = await load(await publish(path.join(root, 'my game!'), bare));
    expect(game).toMatchObject({ gameID: 'my-game-', title: 'my game!', version: game.math.sha256.slice(0, 8) });
    expect(modeSettings(game)).toEqual({
      BASE: { autoClose: true, feature: false },
      ANTE: { autoClose: true, feature: false },
      BONUS: { autoClose: true, feature: true },
    });
    expect(game.currencies).toEqual(KNOWN_CURRENCY_CODES);
  });

  it('bets are scaled by what a unit of the currency is worth', async () => {
    const game = await load(await publish(path.join(root, 'game'), bare));
    const scaleOf = (currency: string) => (game.betSettings(currency)?.defaultBetLevel ?? 0) / 1_000_000;
    const scales = {
      USD: 1,
      EUR: 1,
      KWD: 1,
      XGC: 1,
      CNY: 10,
      JPY: 100,
      KRW: 1000,
      CLP: 1000,
      IDR: 10_000,
      VND: 10_000,
    };
    expect(Object.fromEntries(Object.keys(scales).map((code) => [code, scaleOf(code)]))).toEqual(scales);
    expect(game.betSettings('IDR')).toMatchObject({ minBet: 1e9, maxBet: 1e12, stepBet: 1e9 });
    expect(game.betSettings('IDR')?.betLevels).toEqual(
      game.betSettings('USD')?.betLevels.map((level) => level * 10_000),
    );
  });

  it('a currency has no level of which a payout could be more than money can hold', async () => {
    // 25,000 times 1,000,000 rupiah are 2.5e16 micros.
    const game = await load(
      await publish(path.join(root, 'game'), [{ name: 'base', cost: 1, payouts: [0, 2_500_000] }]),
    );
    expect(game.betSettings('USD')).toMatchObject({ maxBet: 1e8 });
    expect(game.betSettings('IDR')).toMatchObject({ minBet: 1e9, maxBet: 3e11, defaultBetLevel: 1e10 });
    expect(game.betSettings('IDR')?.betLevels.at(-1)).toBe(3e11);
    // In rials, 1e11 micros are the least bet and pay 2.5e15; 4e11 would pay more than money holds.
    expect(game.betSettings('IRR')).toMatchObject({ minBet: 1e11, maxBet: 2e11, defaultBetLevel: 2e11 });
  });

  it('changed files are another version', async () => {
    const before = await load(await publish(path.join(root, 'game'), bare));
    const after = await load(await publish(path.join(root, 'game'), [{ name: 'base', cost: 1, payouts: [0, 200] }]));
    expect(after.gameID).toBe(before.gameID);
    expect(after.version).not.toBe(before.version);
  });

  it.each(['in the folder', 'beside the folder'])("follows the math tool's config.json %s", async (place) => {
    const folder = await publish(path.join(root, 'tool', 'publish_files'), bare);
    const bookShelfConfig = [
      { name: 'base', autoEndRoundDisabled: true, buyBonus: false },
      { name: 'bonus', autoEndRoundDisabled: false, buyBonus: true },
    ];
    const file = path.join(place === 'in the folder' ? folder : path.dirname(folder), 'config.json');
    await writeJson(file, { gameID: '0_0_lines', workingName: 'Lines', bookShelfConfig });
    const game = await load(folder);
    expect(game).toMatchObject({ gameID: '0_0_lines', title: 'Lines' });
    expect(modeSettings(game)).toMatchObject({
      BASE: { autoClose: false, feature: false },
      BONUS: { autoClose: true, feature: true },
    });
    expect((await load(path.dirname(folder))).version).toBe(game.version);
  });
});

describe('a game folder', () => {
  it('game.json overrides config.json; without both, a mode has the defaults of a bare set', async () => {
    const folder = await gameFolder((file) => Object.assign(file, { modes: { BONUS: { autoClose: false } } }));
    const bookShelfConfig = [
      { name: 'base', autoEndRoundDisabled: true },
      { name: 'bonus', autoEndRoundDisabled: false, buyBonus: false },
    ];
    await writeJson(path.join(folder, 'config.json'), { bookShelfConfig });
    const game = await load(folder);
    expect(modeSettings(game)).toEqual({
      BASE: { autoClose: false, feature: false },
      ANTE: { autoClose: true, feature: false },
      BONUS: { autoClose: false, feature: false },
      AUTO: { autoClose: true, feature: false },
    });
    expect([...game.modes.values()].map(({ mathAutoClose }) => mathAutoClose)).toEqual([false, true, true, true]);
    await rm(path.join(folder, 'config.json'));
    expect(modeSettings(await load(folder))).toMatchObject({
      BASE: { autoClose: true, feature: false },
      BONUS: { autoClose: false, feature: true },
    });
  });

  it.each(['id', 'version', 'title', 'betLimits'])('game.json has to have %s', async (name) => {
    const folder = await gameFolder((file) => delete file[name]);
    expect(await issuesOf(folder)).toMatch(new RegExp(`game\\.json: ${name}: `));
  });

  it('a cost that floating point has missed is one issue, with the cost that was meant', async () => {
    const folder = await gameFolder(() => {});
    const index = path.join(folder, 'math', 'index.json');
    const text = await readFile(index, 'utf8');
    expect(text).toContain('"cost": 1.25');
    await writeFile(index, text.replace('"cost": 1.25', '"cost": 1.2500000000000002'));
    expect(await issuesOf(folder)).toBe(
      `${path.join(folder, 'game.json')}: mode ANTE costs 1.2500000000000002, probably 1.25: write this in index.json`,
    );
  });

  it('offers only the currencies that it names, when it gives no default', async () => {
    const folder = await gameFolder((file) => Object.assign(file, { betLimits: { JPY: file.betLimits.JPY } }));
    const game = await load(folder);
    expect(game.currencies).toEqual(['JPY']);
    expect(game.betSettings('EUR')).toBeUndefined();
  });

  it('scales the limits of game.json where it says so, beside those that it names', async () => {
    const folder = await gameFolder((file) => {
      file.betLimits = { scaled: file.betLimits.default, JPY: file.betLimits.JPY };
    });
    const game = await load(folder);
    expect(['USD', 'KRW', 'JPY'].map((currency) => game.betSettings(currency)?.minBet)).toEqual([2e5, 2e8, 1e7]);
    expect(game.currencies).toEqual(KNOWN_CURRENCY_CODES);
  });

  it('shows the names of modes as they are published, or in upper case where game.json says so', async () => {
    const folder = await gameFolder(() => {});
    expect(Object.keys((await load(folder)).betModes)).toEqual(['base', 'Ante', 'BONUS', 'AUTO']);
    const file = path.join(folder, 'game.json');
    await writeJson(file, { ...JSON.parse(await readFile(file, 'utf8')), upperCaseModes: true });
    const game = await load(folder);
    expect(Object.values(game.betModes).map(({ mode }) => mode)).toEqual(['BASE', 'ANTE', 'BONUS', 'AUTO']);
    const catalogue = createCatalogue([game]);
    const nameOf = (version: string, mode: string) => catalogue.modeName({ gameID: game.gameID, version, mode });
    // The front end of a retired version is gone, and the current one shows its rounds.
    expect([nameOf(game.version, 'ANTE'), nameOf('0.9.0', 'ANTE'), nameOf('0.9.0', 'OLD')]).toEqual([
      'ANTE',
      'ANTE',
      'OLD',
    ]);
  });

  const WHOLE = 'is not a whole number of micros';
  const fallback = (change: object) => (file: GameFile) => Object.assign(file.betLimits.default, change);
  const replace = (change: object) => (file: GameFile) => Object.assign(file, change);
  const alsoFor = (currency: string) => (file: GameFile) =>
    Object.assign(file.betLimits, { [currency]: file.betLimits.JPY });

  it('a game.json with a byte order mark is read; a Git LFS pointer is named', async () => {
    const folder = await gameFolder(() => {});
    const file = path.join(folder, 'game.json');
    await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`);
    expect((await load(folder)).gameID).toBe('fixture');
    await writeFile(file, 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 400\n');
    expect(await issuesOf(folder)).toBe(`${file}: is a Git LFS pointer and not the file itself: run \`git lfs pull\``);
  });

  type Row = [issue: string, change: (file: GameFile) => unknown];
  it.each<Row>([
    [`in mode BASE stepBet 1 × payout multiplier 20/100 ${WHOLE}`, fallback({ stepBet: 1, minBet: 1 })],
    [`in mode ANTE stepBet 50 × cost 1.25 ${WHOLE}`, fallback({ stepBet: 50, minBet: 50 })],
    ['× cost 1.25 is more than money can hold', fallback({ maxBet: 9_007_199_254_700_000 })],
    ['the largest payout multiplier is more than money can hold', fallback({ maxBet: 9_007_199_254_700_000 })],
    ['levels must ascend', fallback({ betLevels: [1_000_000, 200_000] })],
    ['modes.TURBO is not a mode of the math', replace({ modes: { TURBO: {} } })],
    ['betLimits names no currency, no scaled and no default', replace({ betLimits: {} })],
    ['betLimits: has default and scaled', (file) => Object.assign(file.betLimits, { scaled: file.betLimits.JPY })],
    ['betLimits.EUX: no such currency in ISO 4217', alsoFor('EUX')],
    ['betLimits', alsoFor('XXX')],
    ['id: must be', replace({ id: '../up' })],
    ['tile', replace({ tile: 'a field that nobody reads' })],
    ['languages.1: must be the code of a language', replace({ languages: ['en', 'xx'] })],
    ['languages: must name each language once', replace({ languages: ['en', 'en'] })],
    ['languages: ', replace({ languages: [] })],
    ...PICTURES.map((thumbnail): Row => ['thumbnail: must be the path of a picture', replace({ thumbnail })]),
  ])('is refused: %s', async (issue, change) => {
    expect(await issuesOf(await gameFolder(change))).toContain(issue);
  });
});

it('the thumbnail of game.json is a picture of the front end; without a front end there is none', async () => {
  const folder = await gameFolder((file) => Object.assign(file, { thumbnail: 'assets/tile.svg' }));
  const picture = path.join(folder, 'frontend/assets/tile.svg');
  expect((await load(folder)).thumbnail).toBeUndefined();
  await mkdir(path.dirname(picture), { recursive: true });
  expect(await issuesOf(folder)).toContain('thumbnail: there is no file frontend/assets/tile.svg');
  await writeFile(picture, ' '.repeat(1_000_001));
  expect(await issuesOf(folder)).toContain('1000001 bytes; 1000000 are the most');
  await writeFile(picture, '<svg/>');
  expect((await load(folder)).thumbnail).toBe('assets/tile.svg');
});

it('a folder of games may hold versions below each game', async () => {
  await cp(await gameFolder(() => {}), path.join(root, 'games', 'a'), { recursive: true });
  await publish(path.join(root, 'games', 'b', '1.0.0'), [{ name: 'base', cost: 1 }]);
  await mkdir(path.join(root, 'games', 'notes'));
  await symlink(path.join(root, 'nothing'), path.join(root, 'games', 'gone'));
  const found = await locateGames(path.join(root, 'games'));
  expect(found.map((each) => path.relative(path.join(root, 'games'), each))).toEqual(['a', path.join('b', '1.0.0')]);
});

it('of a project, a folder of games has the game that it made, and nothing before', async () => {
  const games = path.join(root, 'games');
  const project = path.join(games, 'project');
  await mkdir(path.join(project, 'math'), { recursive: true });
  for (const name of ['game.json', 'package.json', 'math/publish.ts']) await writeFile(path.join(project, name), '{}');
  expect(await locateGames(games)).toEqual([]);
  await cp(await gameFolder(() => {}), path.join(project, 'dist'), { recursive: true });
  expect(await locateGames(games)).toEqual([path.join(project, 'dist')]);
});

it('games of the math tool, each at <game>/library/publish_files, are found by any folder, and none is called library', async () => {
  const games = path.join(root, 'games');
  const names = ['alpha', 'beta', 'gamma'];
  const published = names.map((name) => path.join(name, 'library', 'publish_files'));
  for (const [index, folder] of published.entries())
    await publish(path.join(games, folder), [{ name: 'base', cost: 1, payouts: [0, 100 + index] }]);
  const configs = path.join(games, 'gamma', 'library', 'configs');
  await mkdir(configs);
  const config = { gameID: '0_3_gamma', workingName: 'Gamma', bookShelfConfig: [] };
  await writeJson(path.join(configs, 'config.json'), config);

  for (const named of [published, published.map(path.dirname), names, ['.']]) {
    const folders = await locateAll(named.map((each) => path.join(games, each)));
    const found = (await Promise.all(folders.map(load))).map(({ gameID, title }) => `${gameID}: ${title}`);
    expect(found).toEqual(['alpha: alpha', 'beta: beta', '0_3_gamma: Gamma']);
  }
});

describe('symbolic links', () => {
  it.each([
    ...['frontend/link.txt', 'frontend/deep/link', 'math/link.csv', 'config.json', 'frontend', 'math', 'game.json'],
  ])('a game whose %s is one is refused, and the link is named', async (name) => {
    const folder = await gameFolder(() => {});
    await mkdir(path.join(folder, 'frontend', 'deep'), { recursive: true });
    const file = path.join(folder, name);
    const elsewhere = path.join(root, 'elsewhere');
    await rename(file, elsewhere).catch(() => writeFile(elsewhere, 'not of the game'));
    await symlink(elsewhere, file);
    expect(await issuesOf(folder)).toBe(`${file}: is a symbolic link; put the file itself here`);
  });

  it.each(['game.json', 'math', 'math/index.json', 'math/lookUpTable_base_0.csv', 'math/books_base.jsonl.zst'])(
    'verify refuses a game whose %s is one, too, and nothing of where it leads is shown',
    async (name) => {
      const folder = await gameFolder(() => {});
      const file = path.join(folder, name);
      const elsewhere = path.join(root, 'elsewhere');
      await rename(file, elsewhere);
      await symlink(elsewhere, file);
      const { signal } = new AbortController();
      const { math } = await openPublished({ folder, storeFolder, json: true, signal });
      const issues = [{ file, message: 'is a symbolic link; put the file itself here' }];
      expect(math).toEqual({ ok: false, issues, issueCount: 1 });
    },
  );

  it('a game.json that is one is not read', async () => {
    const [file, elsewhere] = ['game.json', 'elsewhere'].map((name) => path.join(root, name)) as [string, string];
    await writeFile(elsewhere, 'root:x:0:0');
    await symlink(elsewhere, file);
    const issues = [`${file}: is a symbolic link; put the file itself here`];
    expect(await readGameFile(file)).toEqual({ ok: false, issues });
  });

  it('the folder of a game may be one', async () => {
    const link = path.join(root, 'current');
    await symlink(await gameFolder(() => {}), link);
    expect((await load(link)).gameID).toBe('fixture');
    const published = path.join(root, 'current-math');
    await symlink(await publish(path.join(root, 'published'), [{ name: 'base', cost: 1 }]), published);
    expect((await load(published)).modes.size).toBe(1);
  });

  it('no folder between the folder of a game and its published files is one', async () => {
    const elsewhere = path.join(root, 'elsewhere');
    await publish(path.join(elsewhere, 'publish_files'), [{ name: 'base', cost: 1 }]);
    await mkdir(path.join(root, 'tool'));
    const link = path.join(root, 'tool', 'library');
    await symlink(elsewhere, link);
    expect(await issuesOf(path.join(root, 'tool'))).toBe(`${link}: is a symbolic link; put the file itself here`);
  });
});
