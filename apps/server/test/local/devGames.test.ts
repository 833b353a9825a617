import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { beforeAll, expect, it } from 'vitest';
import { PAYS, writeMathToolGame } from '../cli/mathToolGame.ts';
import { betFromLobby } from '../operators/dialectApi/betFromLobby.ts';
import { createTestDatabase } from '../support/database.ts';
import { fixtureCommitment, writeFixtureFiles } from '../support/fixtureGame.ts';
import { walkWith } from '../support/rgsCalls.ts';
import {
  type Dev,
  expectOneLine,
  runRoundhouse,
  SECRETS_KEY,
  startDev,
  stop,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';

const CANARY = 'no-output-may-have-this-0123456789';

let dataFolder: string;
let games: string;
let toolGame: string;
let published: string;
let gameFolder: string;
let options: { env: { DATABASE_URL: string } };
let dev: Dev;

beforeAll(async () => {
  games = await temporaryFolder('games');
  toolGame = path.join(games, 'My first game!');
  published = await writeMathToolGame(toolGame, '0_7_tool');
  gameFolder = path.join(games, 'house');
  await writeFixtureFiles(gameFolder, { id: 'house-game', version: '2.1.0' });
  const assets = path.join(gameFolder, 'frontend', 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(path.join(assets, '..', 'index.html'), '<!doctype html><title>Own front end</title>');
  await writeFile(path.join(assets, 'game.js'), 'export const own = true;');
  await writeFile(path.join(assets, 'reels.js'), `export const reels = '${'cherry '.repeat(1000)}';`);
  dataFolder = await temporaryFolder('two games');
  // An existing database starts faster than one of dev's own, which other files start.
  options = { env: { DATABASE_URL: `${(await createTestDatabase()).url}?sslpassword=${CANARY}` } };
  const simulator = ['--dialect', 'hub88', '--dialect-port', '0'];
  dev = await startDev(dataFolder, [published, gameFolder, ...simulator], options);
});

it('each game is printed with its name and launch URL, the first one with modes and a stable URL, and a warning for each mode', async () => {
  const version = JSON.parse(await succeed(['verify', published, '--json'])).sha256.slice(0, 8);
  const printed = dev
    .output()
    .replaceAll(dev.url, 'RGS')
    .replaceAll(/[?]sessionID=\S+/g, '');
  expect(printed).toContain('Roundhouse serves 2 games on RGS\n');
  expect(printed).toContain(`
From the Tool: 0_7_tool, version ${version}
  modes   base (1×, 2 books), bonus (100×, 2 books)
  launch  RGS/0_7_tool/${version}/index.html
  stable  RGS/launch/0_7_tool

Fixture: house-game, version 2.1.0
  launch  RGS/house-game/2.1.0/index.html
`);
  const warning = /^Version 2\.1\.0 of game house-game, mode Ante: RTP is 20034\.000 %, outside 90 to 98 %$/m;
  expect(printed).toMatch(warning);
});

it('a game folder brings its own front end', async () => {
  const [, launchUrl = ''] = dev.launchUrls;
  expect(await (await fetch(launchUrl)).text()).toContain('Own front end');
  const asset = await fetch(new URL('assets/game.js', launchUrl));
  expect([asset.status, asset.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

it('a front end is compressed for browsers that accept it', async () => {
  const url = new URL('assets/reels.js', dev.launchUrls[1]);
  const encodingFor = async (accepted: string) =>
    (await fetch(url, { headers: { 'Accept-Encoding': accepted } })).headers.get('content-encoding');
  expect(await encodingFor('gzip')).toBe('gzip');
  expect(await encodingFor('identity')).toBeNull();
});

it('the curl lines resume a round also where a losing one closes itself', async () => {
  const pathnames = dev.curls.map((line) => /^curl -s http:\/\/[^/]+(\S+)/.exec(line)?.[1]);
  expect(pathnames).toEqual([
    ...['/wallet/authenticate', '/game/force', '/wallet/play', '/bet/event'],
    ...['/wallet/authenticate', '/wallet/end-round', '/wallet/balance'],
  ]);
  const bodies = await walkWith(dev.curls);
  expect(bodies[4]?.round).toEqual({ ...bodies[2]?.round, event: 'first reel stopped' });
});

it('verify prints the report of each game of a folder, and under --strict a warning is exit code 1', async () => {
  const { code, stdout, stderr } = await runRoundhouse(['verify', games]);
  expect(code).toBe(0);
  expect(stdout.match(/^Package SHA-256 {2}[0-9a-f]{64}$/gm)).toHaveLength(2);
  expect(stdout).toMatch(/^base, cost 1×$/m);
  expect(stdout).toMatch(/^ {2}RTP {2,}\d+\.\d{4} %$/m);
  expect(stdout).toContain(`\n    SHA-256 ${fixtureCommitment('base').sha256}\n`);
  expect(stdout).toContain(`\n  Merkle root of the rows and their books\n    ${fixtureCommitment('base').root}\n`);
  expect(stdout).not.toMatch(/MB, \d+ books/);
  expect(stderr).toContain('base: ');
  const reports = JSON.parse(await succeed(['verify', games, '--json']));
  expect(reports.map(({ folder }: { folder: string }) => folder)).toEqual([toolGame, gameFolder]);
  const { sha256, root } = fixtureCommitment('base');
  expect(reports[1].modes[0]).toMatchObject({ name: 'base', files: { table: { sha256 } }, merkleRoot: root });
  expect((await runRoundhouse(['verify', games, '--strict'])).code).toBe(1);
});

it('verify has a note for modes that lie in their own folders', async () => {
  const parts = await temporaryFolder('parts');
  for (const [name, cost] of Object.entries({ base: 1, bonus: 100 })) {
    const books = [0, 192 * cost].map((payoutMultiplier, id) => ({ id, payoutMultiplier, weight: 1, events: [id] }));
    await publishMath(path.join(parts, name), [{ name, cost, books }]);
  }
  const { code, stderr } = await runRoundhouse(['verify', parts]);
  expect(code).toBe(0);
  expect(stderr).toContain(`${parts}: base, bonus look like modes of one game`);
});

it('DATABASE_URL is used in place of a database of its own, and what is kept of secrets is for its user alone', async () => {
  const file = path.join(dataFolder, 'running.json');
  const { databaseUrl, secretsKey } = JSON.parse(await readFile(file, 'utf8'));
  expect({ databaseUrl, secretsKey }).toEqual({ databaseUrl: options.env.DATABASE_URL, secretsKey: SECRETS_KEY });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const shown of [dev.output(), await readFile(`/proc/${dev.pid}/cmdline`, 'utf8')])
    for (const secret of [SECRETS_KEY, CANARY]) expect(shown).not.toContain(secret);
  await expect(readFile(path.join(dataFolder, 'postgres.json'))).rejects.toThrow('ENOENT');
  expect(await succeed(['books-balance'], options)).toMatch(/^The books balance: [1-9]\d* accounts, [1-9]/);
});

it('--dialect plays an aggregator, too: its lobby launches a game, whose bets its wallet takes; both end together', async () => {
  const [, lobby = ''] = /^Lobby +(http\S+)$/m.exec(dev.output()) ?? [];
  await betFromLobby(lobby, { gameID: 'house-game', title: 'Fixture' });
  await stop(dev);
  await expect(fetch(lobby)).rejects.toThrow();
});

it('broken math is reported with file and line, and ends the command', async () => {
  const table = path.join(published, 'lookUpTable_base_0.csv');
  await writeFile(table, (await readFile(table, 'utf8')).replace(`${PAYS},1,150`, `${PAYS},minus one,150`));
  for (const args of [
    ['verify', published],
    ['dev', published, '--port', '0', '--data', dataFolder],
  ]) {
    const { code, stdout, stderr } = await runRoundhouse(args, options);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/^lookUpTable_base_0\.csv:2: /m);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  }
  const { code, stdout } = await runRoundhouse(['verify', published, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, issues: [{ file: 'lookUpTable_base_0.csv', line: 2 }] });
});

it('a wrong game.json is reported with its file and member', async () => {
  const file = path.join(gameFolder, 'game.json');
  const right = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...right, version: '../1' }));
  const exit = await runRoundhouse(['dev', gameFolder, '--port', '0', '--data', dataFolder], options);
  expectOneLine(exit, /game\.json: version: must be 1 to 64 letters/);
});
