import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { expectOneLine, runRoundhouse, SAMPLE_GAME, temporaryFolder } from '../support/roundhouse.ts';
import { serveRefusal } from './firstWorker.ts';

const NOBODY_LISTENS = 'postgresql://127.0.0.1:1/x';
let home: string;
let unmigrated: TestDatabase;

beforeAll(async () => {
  home = await temporaryFolder('refusals');
  await mkdir(path.join(home, 'empty'));
  await writeFile(path.join(home, 'file'), '');
  unmigrated = await createEmptyDatabase();
});

const run = (args: string, env: NodeJS.ProcessEnv = {}) => {
  const words = args.split(' ').map((word) => (word === 'SAMPLE' ? SAMPLE_GAME : word));
  return runRoundhouse(words, { cwd: home, env });
};
type Row = [args: string, line: RegExp, env?: NodeJS.ProcessEnv];
/** Expects that a setting of the environment is refused in these words. */
const setting = (name: string, value: string, line: string): Row => [
  'serve',
  new RegExp(`'${value.replaceAll('.', '\\.')}' from env '${name}' is invalid\\. ${line}`, 'm'),
  { [name]: value },
];

it.each<Row>([
  ['nonsense', /unknown command 'nonsense'/],
  ['dev --turbo', /unknown option '--turbo'/],
  ['dev --port 65536', /A whole number from 0 to 65535/],
  setting('ROUNDHOUSE_LISTEN_PORT', 'tcp', 'A whole number from 0 to 65535\\.$'),
  setting('ROUNDHOUSE_LOG_LEVEL', 'loud', 'Allowed choices are'),
  setting('ROUNDHOUSE_WORKERS', 'all', 'A whole number of workers from 1 to 64\\.$'),
  setting('ROUNDHOUSE_DRAIN_SECONDS', '2.5', 'A whole number'),
  setting('ROUNDHOUSE_CURRENCIES', 'nowhere.json', 'nowhere\\.json: ENOENT'),
  setting('ROUNDHOUSE_TRUSTED_PROXIES', 'proxy.example.com', '"proxy\\.example\\.com" is not one of: an address'),
  ['dev . --frontend localhost:5173', /'--frontend <url>' .*begins with http/],
  ['serve --workers 65', /A whole number of workers from 1 to 64\./],
  ['serve --max-rtp 0', /A percentage above 0, for example 97\.5\./],
  ['dev --data file', /^The data folder .*file is a file$/m],
  ['dev --data .', /is not empty and not a data folder of Roundhouse/],
  ['serve --games empty', /^No database: set DATABASE_URL/],
  ['serve', /^No games: set ROUNDHOUSE_GAMES/, { DATABASE_URL: NOBODY_LISTENS }],
  ['dev --port 0 --data d', /^The database cannot be reached \(ECONN/, { DATABASE_URL: NOBODY_LISTENS }],
  ['migrate --database nonsense', /^The database cannot be reached/],
  ['books-balance --data data', /^No server runs on data\. Start `roundhouse dev`/],
  ['maintenance on game --data data', /^Which game\? Name its id\.$/m],
  ['maintenance on server --mode BASE', /^A version and a mode are those of a game\.$/m],
  [
    'maintenance on game g --mode BASE --level nothing-at-all',
    /^A mode takes no new rounds; it has no other level\.$/m,
  ],
  ['limits anna --currency EUR', /^Nothing to set: give --daily-wager or --daily-loss\.$/m],
  ['simulate SAMPLE --rounds 0', /A whole number of rounds from 1 to 1000000000000\./],
  ['simulate SAMPLE --seed -1', /A whole number from 0 to 4294967295\./],
  ['simulate SAMPLE --threads 1.5', /A whole number of threads from 1 to 1024\./],
  ['tune SAMPLE --rtp much', /'--rtp <fraction>' argument 'much' is invalid/],
])('%s is refused in one line: %s', async (args, line, env) => {
  expectOneLine(await run(args, env), line);
});

// Lines about the load of the game come first.
it.each<Row>([
  ['simulate SAMPLE --mode super', /^no mode super; the modes are base, bonus$/m],
  ['tune SAMPLE --rtp 0', /base: the RTP must be a number above 0/],
  ['tune SAMPLE --rtp 0.96 --mode super', /no mode super; the modes are base, bonus/],
  [
    'tune SAMPLE --rtp 0.96 --hit-rate 0.28 --volatility 400',
    /base: a standard deviation of 400 is out of reach: with this RTP and this hit rate the table allows standard/,
  ],
  ['tune SAMPLE --rtp 0.96 --volatility -1', /base: the standard deviation must be a number above 0, not -1/],
  ['tune SAMPLE --rtp 3000 --hit-rate 0.3', /base: an RTP of 300000 % is out of reach: with this hit rate/],
])('%s is refused when its game is loaded: %s', async (args, message) => {
  expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

describe('on a database that is not migrated', () => {
  it.each(['serve --games empty', 'session', 'books-balance', 'operator list', 'maintenance on server'])(
    '%s says what to run',
    async (command) => {
      const exit = await run(command, { DATABASE_URL: unmigrated.url });
      expectOneLine(exit, /^The database lacks \d+_initial and \d+ more\. Run `roundhouse migrate` first\.$/m);
    },
  );

  it.each(['migrate', 'books-balance'])('%s does not show a wrong password', async (command) => {
    const wrong = Object.assign(new URL(unmigrated.url), { username: 'nobody_of_that_name', password: 'guessed' });
    const exit = await run(command, { DATABASE_URL: wrong.href });
    expectOneLine(exit, /^The database refuses: .*nobody_of_that_name/);
    expect(exit.stderr).not.toContain('guessed');
  });
});

describe('on a migrated database', () => {
  const env = () => ({ DATABASE_URL: unmigrated.url });
  beforeAll(async () => {
    expect((await run('migrate', env())).stdout).toMatch(/^applied \d+_\w+$/m);
    expect((await run('migrate', env())).stdout).toBe('The database is up to date.\n');
    await run('operator add house', env());
  });

  it.each<Row>([
    ['dev missing --port 0 --data data-missing', /^missing: no game\.json and no index\.json here/],
    ['dev empty --port 0 --data data-empty', /^empty: no game\.json and no index\.json here/],
    ['dev --watch --data d', /^--watch needs a folder/],
    ['dev missing --watch --data d', /^There is no folder .*missing to watch\.$/m],
    ['session', /^No server runs on .*: name the address of the server that uses this one with --rgs-url/],
    ['session --rgs-url http://127.0.0.1:4000', /^No game is published yet\.$/m],
    ['maintenance on game mispelt', /^There is no game mispelt\. Known: none\.$/m],
    ['maintenance on operator hosue', /^There is no operator hosue\. Known: house\.$/m],
    ['limits anna --currency EUR --daily-loss 5', /has no player anna/],
    ['login-expiry anna now', /has no player anna/],
    ['revoke anna', /anna/],
    ['audit list --kind nothing', /Allowed choices are/],
    ['audit list --limit 0', /from 1 to 1000000/],
    ['audit verify --head /nowhere/head', /^The head cannot be read from \/nowhere\/head: ENOENT\.$/m],
    ['audit verify --head /dev/null', /does not end with a line that/],
    ['audit verify --actor Ann_B!', /A name is 1 to 64 of letters/],
    ['audit export --out /nowhere/log', /^The log cannot be written to \/nowhere\/log: ENOENT\.$/m],
    ['audit export --out x --webhook http://x', /cannot be used with/],
    ['report --period day --csv --json', /^Choose --csv or --json\.$/m],
    ['report --period day --operator nobody', /^There is no such operator\./m],
    ['report --period day --game none', /^No version of this game was ever published here\.$/m],
    ['report --period day --date 2026-02-30', /A day like 2026-11-23/],
    ['rounds export --csv --json', /^Choose --csv or --json\.$/m],
    ['rounds export --player nobody', /^There is no such player\.$/m],
    ['rounds export --game none', /^No version of this game was ever published here\.$/m],
    ['rounds interrupted --days 0', /A whole number from 1 to 3650/],
  ])('%s is refused in one line: %s', async (args, line) => {
    expectOneLine(await run(args, env()), line);
  });

  const STANDBY = /^target_session_attrs of the database address is one of: any, read-write, primary\.$/;
  const NO_SYNC = /^--require-sync: the database has no synchronous standby, set synchronous_standby_names\.$/;
  it.each<[url: object | string, games: string, line: RegExp, args?: string[]]>([
    [NOBODY_LISTENS, 'empty', /^The database cannot be reached \(ECONNREFUSED\)\. Is its address /],
    [`${NOBODY_LISTENS}?target_session_attrs=standby`, 'empty', STANDBY],
    [{ pathname: '/none' }, 'empty', /^The database refuses: database "none" does not /],
    [{}, 'missing', /^The games folder .*missing cannot be read: ENOENT\.$/],
    [{}, 'empty', /^There is no game below .*empty\.$/],
    [{}, 'empty', NO_SYNC, ['--require-sync']],
  ])('serve refuses the database %j with the games %s in one line: %s', async (url, games, line, args) => {
    const own = typeof url === 'string' ? url : Object.assign(new URL(unmigrated.url), url).href;
    const settings = { DATABASE_URL: own, ROUNDHOUSE_GAMES: path.join(home, games), ROUNDHOUSE_DATA: home };
    expect(await serveRefusal(settings, args)).toMatch(line);
  });
});
