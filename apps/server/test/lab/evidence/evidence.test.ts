import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startFirstWorker } from '../../node/firstWorker.ts';
import { call } from '../../support/rgsCalls.ts';
import {
  expectOneLine,
  houseSession,
  runRoundhouse,
  SAMPLE_GAME,
  SECRETS_KEY,
  secretFile,
  succeed,
  temporaryFolder,
} from '../../support/roundhouse.ts';
import { servedFixture } from '../../support/servedFixture.ts';
import { installServerAlone } from '../install/writeInstallation.ts';

const OPERATOR_SECRET = 'the-secret-of-the-operator-acme-0123456789';
const CANARY = 'no-file-may-have-this-0123456789';
const EXAMPLE = new URL('../../../../../.env.example', import.meta.url);
const NAMED_TEST =
  'apps/server/src/rounds/play/play.test.ts > the drawn book is given up when, and only when, the play is refused';

let home: string;
/** Runs a server whose dependencies, 7,000 files, are not hashed. */
let command: string;
let env: NodeJS.ProcessEnv;
let databasePassword: string;
let sessionID: string;
beforeAll(async () => {
  home = await temporaryFolder('evidence');
  command = await installServerAlone();
  const served = await servedFixture('evidence served');
  databasePassword = new URL(served.DATABASE_URL).password;
  expect(databasePassword).not.toBe('');
  // The key of the manifest is the path of a public one; that of secrets has a value of its form.
  const names = (await readFile(EXAMPLE, 'utf8')).match(/^#?\w*(SECRET|PASSWORD|KEY|TOKEN)\w*(?==)/gm) ?? [];
  expect(names).toContain('ROUNDHOUSE_OPERATOR_SECRET');
  const secrets = [...names, 'PGPASSWORD', 'PGSSLPASSWORD']
    .map((name) => name.replace('#', ''))
    .filter((name) => !/^ROUNDHOUSE_(SECRETS|MANIFEST)_KEY$/.test(name))
    .map((name) => [name, CANARY]);
  const url = `${served.DATABASE_URL}?sslpassword=${CANARY}`;
  env = { ...served, ...Object.fromEntries(secrets), DATABASE_URL: url };
  const node = await startFirstWorker(env, ['--workers', '1', '--drain-seconds', '0']);
  sessionID = await houseSession({ url: node.url, env, player: 'anna' });
  await call(node.url, '/wallet/authenticate', { sessionID });
  await call(node.url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
  await node.close();
  const wallet = ['--wallet-url', 'http://127.0.0.1:9', '--secret-file', await secretFile(OPERATOR_SECRET)];
  await succeed(['operator', 'add', 'acme', ...wallet], { env });
});

const SETTINGS = {
  database: { value: expect.stringMatching(/^postgresql:\/\/[\w.:]+\/\w+$/), from: 'env' },
  secretsKey: { value: 'set' },
  maxRtp: { value: 1_000_000, from: 'env' },
};
const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map((each) => path.relative(folder, path.join(each.parentPath, each.name)));
const linksOf = (page: string) => [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => decodeURI(link));

describe('the pack of the sample game and a database', () => {
  let out: string;
  const textOf = (file: string) => readFile(path.join(out, file), 'utf8');

  beforeAll(async () => {
    out = path.join(home, 'pack');
    const results = path.join(home, 'results.json');
    const tests = { [NAMED_TEST]: 'passed', 'other.test.ts > fails': 'failed' };
    await writeFile(results, JSON.stringify({ at: '2030-01-31T12:00:00Z', tests }));
    const chaos = path.join(home, 'chaos.txt');
    await writeFile(chaos, 'no money was lost\n');
    const given = ['--results', results, '--report', chaos];
    await succeed(['evidence', '--out', out, '--games', SAMPLE_GAME, ...given], { env, command });
  });

  it('has an index whose links lead to every other file', async () => {
    const files = await filesOf(out);
    const links = linksOf(await textOf('index.html')).map((link) => link.replace(/#.*/, ''));
    expect([...new Set(links), 'index.html'].sort()).toEqual(files.sort());
    expect(await textOf('reports/chaos.txt')).toBe('no money was lost\n');
    for (const page of files.filter((file) => file.endsWith('.html'))) {
      const inPack = linksOf(await textOf(page)).filter((link) => !/^\w+:|^#/.test(link));
      for (const link of inPack) expect(files).toContain(path.join(path.dirname(page), link.replace(/#.*/, '')));
    }
  });

  it('has the sum of each file', async () => {
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
    const others = (await filesOf(out)).filter((file) => file !== 'SHA256SUMS');
    expect(checked.trimEnd().split('\n').sort()).toEqual(others.map((file) => `${file}: OK`).sort());
  });

  it('holds no secret', async () => {
    for (const file of await filesOf(out)) {
      const text = await textOf(file);
      for (const secret of [databasePassword, OPERATOR_SECRET, SECRETS_KEY, CANARY, sessionID])
        expect(text, file).not.toContain(secret);
    }
    expect(JSON.parse(await textOf('settings.json'))).toMatchObject({ ...SETTINGS, workers: { from: 'default' } });
  });

  it('has the settings with which each node has started', async () => {
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    const node = { node: expect.stringMatching(/^.+#\d+$/), startedAt: time, stoppedAt: time };
    const given = { workers: { value: 1, from: 'cli' }, drainSeconds: { value: 0, from: 'cli' } };
    const settings = { ...SETTINGS, ...given, demo: { value: false, from: 'default' } };
    expect(JSON.parse(await textOf('nodes.json'))).toEqual([
      expect.objectContaining({ ...node, nodeVersion: process.version, settings: expect.objectContaining(settings) }),
    ]);
  });

  it('has the figures that `roundhouse verify` prints', async () => {
    const printed = JSON.parse(await succeed(['verify', '--json', SAMPLE_GAME], { env }));
    expect(JSON.parse(await textOf('games.json'))).toEqual(printed);
    const [head, ...rows] = (await textOf('par.csv')).trimEnd().split('\n');
    expect(head).toMatch(/^game,version,mode,cost,RTP,hit rate,variance,/);
    const [game] = JSON.parse(await textOf('game-settings.json'));
    expect(game).toMatchObject({ folder: SAMPLE_GAME, id: 'sample-lines', betLimits: expect.anything() });
    const figures = printed.modes.map(({ name, cost, rtp, hitRate, standardDeviation }: Record<string, number>) =>
      [game.id, game.version, name, cost, rtp, hitRate, (standardDeviation ?? 0) ** 2].join(','),
    );
    expect(rows.map((row) => row.split(',').slice(0, 7).join(','))).toEqual(figures);
  });

  it('has each requirement with the results of its tests', async () => {
    const page = await textOf('index.html');
    expect(page).toContain('1 passed, <strong class="failed">1 failed</strong>, 0 not run');
    expect(page).toMatch(/games\.json.*Games: 1, sound: 1, modes: \d+, warnings: \d+\./);
    expect(page).toContain('No command has found anything wrong.');
    expect(await textOf('requirements.html')).toMatch(/passed<\/span>: the drawn book is given up when/);
    const rows = await textOf('requirements.csv');
    expect(rows).toContain('gli-19,2.2,no,');
    expect(rows).toMatch(/the drawn book is given up[^"]*"?,"?[^"]*passed/);
    expect(rows).toContain('not run');
  });

  it('has what commands find in the database', async () => {
    expect(await textOf('books-balance.txt')).toMatch(/^The books balance: /);
    expect(await textOf('rtp.csv')).toMatch(/^game,version,mode,/);
    expect(await textOf('operators.txt')).toMatch(/^acme/m);
    expect(await textOf('audit-verify.txt')).toMatch(/^The log is whole: [1-9]/);
    const versions = { node: process.versions.node, postgresql: expect.stringMatching(/^\d+\.\d+/) };
    expect(JSON.parse(await textOf('versions.json'))).toMatchObject(versions);
    expect(await textOf('audit.jsonl')).toContain('"operator_changed"');
  });
});

it('without results and a database the index says so; what is wrong is in it, and the exit code is 1', async () => {
  const { ROUNDHOUSE_GAMES = '', ROUNDHOUSE_DATA } = await servedFixture('evidence broken');
  const books = (await filesOf(ROUNDHOUSE_GAMES)).find((file) => /books.*zst$/.test(file)) ?? '';
  await truncate(path.join(ROUNDHOUSE_GAMES, books), 10);
  const out = path.join(home, 'broken');
  const alone = { env: { ROUNDHOUSE_GAMES, ROUNDHOUSE_DATA }, command };
  const { code, stdout } = await runRoundhouse(['evidence', '--out', out], alone);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Games: Checks, figures and hashes: exit code 1/);
  const page = await readFile(path.join(out, 'index.html'), 'utf8');
  expect(page).toMatch(/games\.json.*<strong class="failed">exit code 1/);
  expect(linksOf(page)).toContain('par.csv');
  expect(page).toContain('Test results: none were given.');
  expect(page).toContain('Reports of a database: none was given.');
  expect(await readFile(path.join(out, 'requirements.csv'), 'utf8')).toContain('no results given');
  expect(await filesOf(out)).not.toContain('books-balance.txt');
});

describe('nothing is written', () => {
  beforeAll(async () => {
    await mkdir(path.join(home, 'full'));
    await writeFile(path.join(home, 'full', 'mine'), 'mine');
  });

  it.each<[args: string, line: RegExp]>([
    ['--out full --games SAMPLE', /^full is not empty\. Name a new folder\.$/m],
    ['--out full/mine --games SAMPLE', /^The folder full\/mine cannot be written: E/],
    ['--out never', /^No games: set ROUNDHOUSE_GAMES, or name a folder with --games\.$/m],
    ['--out never --games nowhere', /^There is no game in nowhere\.$/m],
    ['--out never --games SAMPLE --results nowhere.json', /^nowhere\.json cannot be read: ENOENT\.$/m],
    [
      '--out never --games SAMPLE --results full/mine',
      /^full\/mine is not what `npm run test:all -- --results <file>` writes\.$/m,
    ],
    ['--out never --games SAMPLE --sbom nowhere.json', /^nowhere\.json cannot be read: ENOENT\.$/m],
  ])('with %s', async (args, line) => {
    const words = args.split(' ').map((word) => (word === 'SAMPLE' ? SAMPLE_GAME : word));
    expectOneLine(await runRoundhouse(['evidence', ...words], { cwd: home, env: {} }), line);
    expect(await readdir(home)).not.toContain('never');
    expect(await readdir(path.join(home, 'full'))).toEqual(['mine']);
    expect(await readFile(path.join(home, 'full', 'mine'), 'utf8')).toBe('mine');
  });
});
