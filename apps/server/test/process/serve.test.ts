import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { call, post, sessionOf } from '../support/rgsCalls.ts';
import {
  expectOneLine,
  type Roundhouse,
  runRoundhouse,
  startServe,
  stop,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';

const UNIT = 1_000_000;
type Node = Roundhouse & { url: string };

let env: { DATABASE_URL: string; ROUNDHOUSE_GAMES: string; ROUNDHOUSE_DATA: string };
let gameFolder: string;
let nodes: Node[];

beforeAll(async () => {
  const home = await temporaryFolder('serve');
  const games = path.join(home, 'games');
  gameFolder = path.join(games, 'fixture', 'served');
  await putGame('1.0.0');
  const { url } = await createEmptyDatabase();
  env = { DATABASE_URL: url, ROUNDHOUSE_GAMES: games, ROUNDHOUSE_DATA: path.join(home, 'data') };
  await succeed(['migrate'], { env });
  // The first as most are started, with a worker for each core.
  nodes = [await startServe([], { env }), await startServe(['--workers', '1'], { env })];
});

async function putGame(version: string): Promise<void> {
  const game = await writeFixtureGame({ version });
  await rm(gameFolder, { recursive: true, force: true });
  await mkdir(path.dirname(gameFolder), { recursive: true });
  await cp(game.folder, gameFolder, { recursive: true });
  await game.remove();
}

const onFirst = () => nodes[0] as Node;

/** A session of a player, as the command issues it, and authenticated. */
async function sessionOfPlayer(player: string, args: readonly string[] = []): Promise<string> {
  const rgsUrl = onFirst().url;
  const printed = await succeed(['session', '--player', player, '--rgs-url', rgsUrl, ...args], { env });
  expect(printed).toMatch(new RegExp(`^${rgsUrl}/fixture/[0-9.]+/index\\.html\\?sessionID=`));
  const sessionID = sessionOf(printed.trim());
  await call(rgsUrl, '/wallet/authenticate', { sessionID });
  return sessionID;
}

/** What each node answers to the same request. */
function onEachNode(pathname: string, body: object): Promise<string[]> {
  return Promise.all(
    nodes.map(async ({ url }) => {
      const answer = await post(url, pathname, body);
      return answer.status === 200 ? 'ok' : answer.body.error;
    }),
  );
}

const both = (outcome: string) => [outcome, outcome];

describe('roundhouse serve', () => {
  test('has none of the paths for local work', async () => {
    for (const pathname of ['/session/start', '/game/search', '/game/force']) {
      expect((await post(onFirst().url, pathname, {})).status).toBe(404);
    }
    expect((await fetch(`${onFirst().url}/fixture/1.0.0/index.html`)).status).toBe(404);
    expect((await fetch(`${onFirst().url}/readyz`)).status).toBe(200);
  });

  test('answers a session of `roundhouse session` on every node, and logs no credential', async () => {
    const sessionID = await sessionOfPlayer('anna', ['--currency', 'EUR', '--balance', '5']);
    for (const { url } of nodes) {
      const { balance } = await call(url, '/wallet/balance', { sessionID });
      expect(balance).toEqual({ amount: 5 * UNIT, currency: 'EUR' });
    }
    for (const node of nodes) expect(node.output()).not.toContain(sessionID);
  });
});

test('a session that `roundhouse session` issues launches at the address that ROUNDHOUSE_PUBLIC_URL names', async () => {
  const behindProxy = { env: { ...env, ROUNDHOUSE_PUBLIC_URL: 'https://rgs.example.com/slots' } };
  const url = new URL(await succeed(['session'], behindProxy));
  expect(url.href).toMatch(/^https:\/\/rgs\.example\.com\/slots\/fixture\/1\.0\.0\/index\.html\?/);
  expect(url.searchParams.get('rgs_url')).toBe('rgs.example.com/slots');
  const named = await succeed(['session', '--rgs-url', onFirst().url], behindProxy);
  expect(named).toContain(`${onFirst().url}/fixture/`);
});

describe('on both running nodes, without a restart', () => {
  test('maintenance is on and off at once, in both strengths', async () => {
    const sessionID = await sessionOfPlayer('maria');
    const bet = { sessionID, amount: UNIT, mode: 'BASE' };
    expect(await succeed(['maintenance', 'list'], { env })).toBe('No maintenance.\n');
    const said = await succeed(['maintenance', 'on', 'game', 'fixture'], { env });
    expect(said).toBe('Maintenance of game fixture is on: no-new-rounds.\n');
    expect(await onEachNode('/wallet/play', bet)).toEqual(both('ERR_MAINTENANCE'));
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ok'));
    await succeed(['maintenance', 'on', 'server', '--level', 'nothing-at-all'], { env });
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ERR_MAINTENANCE'));
    expect(await succeed(['maintenance', 'list'], { env })).toMatch(
      /^the server: nothing-at-all since .*Z\ngame fixture: no-new-rounds since .*Z\n$/,
    );
    await succeed(['maintenance', 'off', 'server'], { env });
    await succeed(['maintenance', 'off', 'game', 'fixture'], { env });
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ok'));
    await call(onFirst().url, '/wallet/play', bet);
  });

  test('limits hold back a play that goes beyond them', async () => {
    const sessionID = await sessionOfPlayer('lena', ['--currency', 'EUR']);
    const play = (amount: number) => ({ sessionID, amount, mode: 'BASE' });
    const limits = ['limits', 'lena', '--currency', 'EUR'];
    await succeed([...limits, '--daily-wager', '1.50'], { env });
    expect(await onEachNode('/wallet/play', play(2 * UNIT))).toEqual(both('ERR_GLE'));
    await succeed([...limits, '--daily-wager', 'none', '--daily-loss', '0.50'], { env });
    expect(await onEachNode('/wallet/play', play(UNIT))).toEqual(both('ERR_GLE'));
    await succeed([...limits, '--daily-loss', 'none'], { env });
    await call(onFirst().url, '/wallet/play', play(2 * UNIT));
  });

  test('a login expires and is set anew', async () => {
    const sessionID = await sessionOfPlayer('ida');
    await succeed(['login-expiry', 'ida', 'now'], { env });
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ERR_ATE'));
    await succeed(['login-expiry', 'ida', 'never'], { env });
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ok'));
  });

  test('countries are blocked and allowed per operator', async () => {
    const sessionID = await sessionOfPlayer('fia', ['--country', 'FI']);
    const set = await succeed(['operator', 'set', 'house', '--block-countries', 'fi,SE'], { env });
    expect(set).toContain('blocked countries  FI, SE');
    expect(await succeed(['operator', 'list'], { env })).toBe(set);
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ERR_LOC'));
    await succeed(['operator', 'set', 'house', '--block-countries', 'none'], { env });
    expect(await onEachNode('/wallet/balance', { sessionID })).toEqual(both('ok'));
  });
});

test('SIGTERM answers the play in flight and leaves the other node alone', async () => {
  const sessionID = await sessionOfPlayer('tom');
  const lock = await lockAccount(env.DATABASE_URL, 'tom');
  const played = post(onFirst().url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
  await lock.untilWaiting(1);
  onFirst().kill('SIGTERM');
  await onFirst().waitFor(/"signal":"SIGTERM".*"msg":"finishing what is in flight"/);
  await lock.release();
  const { status, body } = await played;
  expect([status, body.balance.amount]).toEqual([200, 999 * UNIT]);
  const exit = await onFirst().exited;
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  expect(exit.stdout).toMatch(/"route":"\/wallet\/play","status":200/);
  nodes.shift();
  const resumed = await call(onFirst().url, '/wallet/authenticate', { sessionID });
  expect(resumed.round).toEqual(body.round);
});

test('a game that returns more than 100 % is refused at start, unless more is allowed', async () => {
  const exit = await runRoundhouse(['serve', '--port', '0'], { env: { ...env, ROUNDHOUSE_MAX_RTP: '' } });
  expectOneLine(exit, /: version 1\.0\.0 of game fixture returns 25042\.5 % in mode base, more than 100 %: --max-rtp/m);
});

describe('a published version', () => {
  test('is refused at start when its math was changed', async () => {
    const table = path.join(gameFolder, 'math', 'lookUpTable_base_0.csv');
    const published = await readFile(table, 'utf8');
    await writeFile(table, published.replace('1,10,0', '1,11,0'));
    const exit = await runRoundhouse(['serve', '--port', '0'], { env });
    expectOneLine(exit, /: version 1\.0\.0 of game fixture was published with other math .* give it a new version$/m);
    await writeFile(table, published);
  });

  test('that is served no more still resumes the rounds that were opened on it', async () => {
    const { url } = onFirst();
    const sessionID = await sessionOfPlayer('olga');
    const opened = await call(url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    await stop(onFirst());
    await putGame('2.0.0');
    nodes = [await startServe(['--workers', '1'], { env })];
    const again = sessionOf(
      await succeed(['session', '--player', 'olga', '--rgs-url', onFirst().url], { env }).then((printed) => {
        expect(printed).toContain('/fixture/2.0.0/index.html?');
        return printed.trim();
      }),
    );
    const resumed = await call(onFirst().url, '/wallet/authenticate', { sessionID: again });
    expect([resumed.round, resumed.balance]).toEqual([opened.round, opened.balance]);
    const ended = await call(onFirst().url, '/wallet/end-round', { sessionID: again });
    expect(ended.balance.amount).toBe(opened.balance.amount + opened.round.payout);
    expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
    await stop(onFirst());
  });
});
