import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { type Exit, expectOneLine, runRoundhouse, temporaryFolder } from '../support/roundhouse.ts';

const NOBODY_LISTENS = 'postgresql://127.0.0.1:1/x';
let home: string;
let unmigrated: TestDatabase;

beforeAll(async () => {
  home = await temporaryFolder('refusals');
  await mkdir(path.join(home, 'empty'));
  await writeFile(path.join(home, 'file'), '');
  unmigrated = await createEmptyDatabase();
});

const run = (args: string[], env: NodeJS.ProcessEnv = {}) => runRoundhouse(args, { cwd: home, env });

describe.each<[why: string, args: string[], line: RegExp, env?: NodeJS.ProcessEnv]>([
  ['an unknown command', ['nonsense'], /unknown command 'nonsense'/],
  ['an unknown option', ['dev', '--turbo'], /unknown option '--turbo'/],
  ['a port that is none', ['dev', '--port', '65536'], /A whole number from 0 to 65535/],
  [
    'a port of the environment that is none',
    ['dev'],
    /'tcp' from env 'ROUNDHOUSE_LISTEN_PORT' is invalid\. A whole number from 0 to 65535\.$/m,
    { ROUNDHOUSE_LISTEN_PORT: 'tcp' },
  ],
  [
    'a log level of the environment that is none',
    ['serve'],
    /'loud' from env 'ROUNDHOUSE_LOG_LEVEL' is invalid\. Allowed choices are/,
    { ROUNDHOUSE_LOG_LEVEL: 'loud' },
  ],
  ['no workers', ['serve', '--workers', '0'], /A whole number of workers from 1 to 64\./],
  ['more workers than there may be', ['serve', '--workers', '65'], /A whole number of workers from 1 to 64\./],
  [
    'workers of the environment that are no number',
    ['serve'],
    /'all' from env 'ROUNDHOUSE_WORKERS' is invalid\. A whole number of workers from 1 to 64\.$/m,
    { ROUNDHOUSE_WORKERS: 'all' },
  ],
  ['an RTP that is none', ['serve', '--max-rtp', '0'], /A percentage above 0, for example 97\.5\./],
  ['a data folder that is a file', ['dev', '--data', 'file'], /^The data folder .*file is a file$/m],
  ["somebody else's folder", ['dev', '--data', '.'], /is not empty and not a data folder of Roundhouse/],
  ['serve without a database', ['serve', '--games', 'empty'], /^No database: set DATABASE_URL/],
  ['serve without games', ['serve'], /^No games: set ROUNDHOUSE_GAMES/, { DATABASE_URL: NOBODY_LISTENS }],
  [
    'a database that does not answer',
    ['serve', '--games', 'empty', '--database', NOBODY_LISTENS],
    /^The database cannot be reached \(ECONNREFUSED\)\. Is its address right/,
  ],
  [
    'a database that does not answer, under dev',
    ['dev', '--port', '0', '--data', 'data'],
    /^The database cannot be reached \(ECONNREFUSED\)/,
    { DATABASE_URL: NOBODY_LISTENS },
  ],
  ['a database that is no URL', ['migrate', '--database', 'nonsense'], /^The database cannot be reached/],
  [
    'a command beside no server',
    ['books-balance', '--data', 'data'],
    /^No server runs on data\. Start `roundhouse dev`/,
  ],
  ['maintenance of what', ['maintenance', 'on', 'game', '--data', 'data'], /^Which game\? Name its id\.$/m],
  [
    'limits of nothing',
    ['limits', 'anna', '--currency', 'EUR'],
    /^Nothing to set: give --daily-wager or --daily-loss\.$/m,
  ],
])('%s', (_why, args, line, env) => {
  test(`\`roundhouse ${args.join(' ')}\` is one clear line`, async () => {
    expectOneLine(await run(args, env), line);
  });
});

describe('on a database that is not migrated', () => {
  test.each([
    [['serve', '--games', 'empty']],
    [['session']],
    [['books-balance']],
    [['operator', 'list']],
    [['maintenance', 'on', 'server']],
  ])('%j says what to run', async (args) => {
    const exit = await run(args, { DATABASE_URL: unmigrated.url });
    expectOneLine(exit, /^The database lacks \d+_initial and \d+ more\. Run `roundhouse migrate` first\.$/m);
  });

  test('a password that is wrong is told as such, without the password', async () => {
    const wrong = new URL(unmigrated.url);
    wrong.username = 'nobody_of_that_name';
    wrong.password = 'guessed';
    for (const args of [['migrate'], ['serve', '--games', 'empty'], ['books-balance']]) {
      const exit = await run(args, { DATABASE_URL: wrong.href });
      expectOneLine(exit, /^The database refuses: .*nobody_of_that_name/);
      expect(exit.stderr).not.toContain('guessed');
    }
  });

  test('a database that does not exist is named', async () => {
    const missing = new URL(unmigrated.url);
    missing.pathname = '/no_such_database';
    expectOneLine(
      await run(['serve', '--games', 'empty'], { DATABASE_URL: missing.href }),
      /^The database refuses: database "no_such_database" does not exist\.$/m,
    );
  });
});

describe('on a migrated database', () => {
  test('folders that hold no game are told, and names that are not known', async () => {
    const env = { DATABASE_URL: unmigrated.url };
    expect((await run(['migrate'], env)).stdout).toMatch(/^applied \d+_\w+$/m);
    expect((await run(['migrate'], env)).stdout).toBe('The database is up to date.\n');
    const dev = (folder: string) => ['dev', folder, '--port', '0', '--data', `data of ${folder}`];
    const refused: [string[], RegExp][] = [
      [dev('missing'), /^missing: no game\.json and no index\.json here/],
      [dev('empty'), /^empty: no game\.json and no index\.json here/],
      [['serve', '--games', 'missing'], /^The games folder missing cannot be read: ENOENT\.$/m],
      [['serve', '--games', 'empty'], /^There is no game below empty\.$/m],
      [['session'], /^No game is published yet\.$/m],
      [['maintenance', 'on', 'game', 'mispelt'], /^There is no game mispelt\. Known: none\.$/m],
      [['maintenance', 'on', 'operator', 'hosue'], /^There is no operator hosue\. Known: house\.$/m],
      [['limits', 'anna', '--currency', 'EUR', '--daily-loss', '5'], /has no player anna/],
      [['login-expiry', 'anna', 'now'], /has no player anna/],
      [['revoke', 'anna'], /anna/],
    ];
    await run(['operator', 'add', 'house'], env);
    const exits = await Promise.all(refused.map(([args]) => run(args, env)));
    for (const [index, [, line]] of refused.entries()) expectOneLine(exits[index] as Exit, line);
  });
});
