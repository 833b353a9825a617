import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { createTestDatabase } from '../support/database.ts';
import { connectRaw } from '../support/rawHttp.ts';
import { call, liveSession, post, sessionOf, walkWith } from '../support/rgsCalls.ts';
import {
  type Dev,
  databaseOf,
  isRunning,
  jsonLinesOf,
  postgresPid,
  preparedDataFolder,
  runRoundhouse,
  SAMPLE_GAME,
  startDev,
  stop,
  succeed,
  untilPortClosed,
} from '../support/roundhouse.ts';

const UNIT = 1_000_000;
const LOADED = /MB, \d+ books$/m;
let dataFolder: string;
let dev: Dev;

beforeAll(async () => {
  dataFolder = await preparedDataFolder('sample');
  dev = await startDev(dataFolder, [SAMPLE_GAME]);
});

/** Sends by https, with the certificate of the data folder. */
async function sendSecurely(pathname: string, body?: object) {
  const { cert } = JSON.parse(await readFile(path.join(dataFolder, 'certificate.json'), 'utf8'));
  const options = { method: body ? 'POST' : 'GET', ca: cert, agent: false } as const;
  const [response] = await once(https.request(dev.url + pathname, options).end(JSON.stringify(body)), 'response');
  return { status: response.statusCode, body: JSON.parse((await response.toArray()).join('')) };
}

describe('roundhouse dev', () => {
  it('the curl lines, sent as they are printed, walk through a round of the game and resume it', async () => {
    expect(dev.output()).toMatch(LOADED);
    expect(dev.output()).toMatch(
      /^Roundhouse serves one game on http:.*^Sample Lines: sample-lines, version 1\.1\.0$/ms,
    );
    const bodies = await walkWith(dev.curls);
    expect(bodies).toHaveLength(6);
    const [authenticated, played, recorded, resumed, ended, balance] = bodies;
    expect(authenticated.config.gameID).toBe('sample-lines');
    expect(played.round).toMatchObject({ active: true, amount: UNIT, mode: 'base', event: null });
    expect(played.balance.amount).toBe(authenticated.balance.amount - UNIT);
    expect(recorded).toEqual({ event: 'first reel stopped' });
    expect(resumed.round).toEqual({ ...played.round, event: 'first reel stopped' });
    expect(ended.balance.amount).toBe(played.balance.amount + played.round.payout);
    expect(balance).toEqual(ended);
  });

  it('the launch URL of a game without a front end is a page of which everything loads', async () => {
    const [launchUrl = ''] = dev.launchUrls;
    const page = await fetch(launchUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const named = [...(await page.text()).matchAll(/(?:src|href)="([^"#:]+)"/g)];
    const urls = named.map(([, name = '']) => new URL(name, launchUrl));
    expect(urls.map(({ pathname }) => path.extname(pathname))).toEqual(expect.arrayContaining(['.css', '.js']));
    for (const url of urls) expect((await fetch(url)).status, url.href).toBe(200);
  });

  it('a session can be had beside it', async () => {
    const launchUrl = await succeed(['session', '--data', dataFolder, '--balance', '12.50']);
    expect(launchUrl).toContain(`${dev.url}/sample-lines/1.1.0/index.html?`);
    const { balance } = await call(dev.url, '/wallet/authenticate', { sessionID: sessionOf(launchUrl.trim()) });
    expect(balance.amount).toBe(12.5 * UNIT);
  });

  it('a command takes its address for the same database only, whatever the address of the database', async () => {
    const beside = (...args: string[]) => [...args, '--data', dataFolder];
    const sameByAnotherName = (await databaseOf(dataFolder)).replace('127.0.0.1', 'localhost');
    const launchUrl = await succeed(beside('session'), { env: { DATABASE_URL: sameByAnotherName } });
    expect(launchUrl).toContain(`${dev.url}/sample-lines/`);

    const env = { DATABASE_URL: (await createTestDatabase()).url };
    const needsAddress = `The server on ${dataFolder} (${dev.url}) uses another database: name the address of the server that uses this one with --rgs-url or ROUNDHOUSE_PUBLIC_URL.\n`;
    const refused = { code: 1, stdout: '', stderr: needsAddress };
    expect(await runRoundhouse(beside('session'), { env })).toMatchObject(refused);
    const exported = await runRoundhouse(beside('rounds', 'export'), { env });
    expect(exported).toMatchObject({ code: 0, stderr: `There are no replay URLs. ${needsAddress}` });
  });

  it('a closed terminal ends it in order, and the next start keeps what was played, and its books', async () => {
    const { sessionID } = await call(dev.url, '/session/start', { token: 'keeper', setBalance: 7 * UNIT });
    expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: /);
    const postgres = await postgresPid(dataFolder);
    dev.closeTerminal();
    expect(await dev.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isRunning(postgres)).toBe(false);
    dev = await startDev(dataFolder, [SAMPLE_GAME, '--https', '--log-level', 'info']);
    expect(dev.output()).not.toMatch(LOADED);
    const { balance } = await call(dev.url.replace('https:', 'http:'), '/wallet/authenticate', { sessionID });
    expect(balance.amount).toBe(7 * UNIT);
  });

  it('records its starts and stops as significant events, as serve does', async () => {
    const listed = await succeed(['audit', 'list', '--json', '--data', dataFolder]);
    const ofNodes = jsonLinesOf(listed).filter(({ kind }) => /^node_(started|stopped)$/.test(kind));
    expect(ofNodes.map(({ kind }) => kind).sort()).toEqual(['node_started', 'node_started', 'node_stopped']);
    const started = ofNodes.find(({ kind, subject }) => kind === 'node_started' && subject.endsWith(`#${dev.pid}`));
    expect(started).toMatchObject({ actor: expect.stringMatching(`^node:.*#${dev.pid}$`) });
    const { settings } = JSON.parse(started.after);
    expect(settings).toMatchObject({ https: { value: true, from: 'cli' }, secretsKey: { value: 'set' } });
    expect(settings.database.value).toMatch(/^postgresql:\/\/[^@]+$/);
  });
});

describe('roundhouse dev --https', () => {
  it('serves https and http on the one port, and launches with https', async () => {
    expect(dev.url).toMatch(/^https:/);
    expect(dev.launchUrls.every((url) => url.startsWith(`${dev.url}/`))).toBe(true);
    expect(dev.curls.every((line) => line.startsWith('curl -s -k https://'))).toBe(true);
    expect(await sendSecurely('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await fetch(`${dev.url.replace('https:', 'http:')}/healthz`)).status).toBe(200);
  });

  it('Ctrl-C, which arrives several times: a play in flight gets its response, then port and database are closed', async () => {
    const postgres = await postgresPid(dataFolder);
    // Two connections never bring a whole request. The response comes after both were accepted.
    const idle = [await connectRaw(dev.url), await connectRaw(dev.url)];
    idle[1]?.write('POST /wallet/play HTTP/1.1\r\nHost: x\r\n');
    const url = dev.url.replace('https:', 'http:');
    const sessionID = await liveSession(url, { token: 'in-flight' });
    const lock = await lockAccount(await databaseOf(dataFolder), 'in-flight');
    const played = sendSecurely('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    await lock.untilWaiting(1);
    await post(url, '/wallet/balance', { sessionID: 'x' }, { 'X-Request-Id': 'the-last' });
    dev.pressCtrlC();
    await dev.waitFor(/SIGINT: finishing what is in flight\./);
    dev.kill('SIGINT');
    await untilPortClosed(dev.url);
    expect([dev.isRunning(), isRunning(postgres)]).toEqual([true, true]);
    await lock.release();
    const body = { balance: { amount: 999 * UNIT }, round: { active: true } };
    expect(await played).toMatchObject({ status: 200, body });
    const exit = await dev.exited;
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    // No line of the log is lost at the end.
    expect(exit.stdout).toContain('the-last');
    expect(isRunning(postgres)).toBe(false);
    for (const socket of idle) socket.destroy();
  });
});

it('roundhouse dev --fresh empties the data folder; --frontend makes every launch URL lead to its page', async () => {
  dev = await startDev(dataFolder, [SAMPLE_GAME, '--fresh', '--frontend', 'http://localhost:5173/?debug=1']);
  const page = 'http://localhost:5173/?debug=1&sessionID=';
  expect(dev.launchUrls).toEqual([expect.stringContaining(page)]);
  expect(await succeed(['session', '--data', dataFolder])).toContain(page);
  const [, stable = ''] = await dev.waitFor(/^ {2}stable {2}(\S+)$/m);
  expect(stable).toBe(`${dev.url}/launch/sample-lines`);
  expect((await fetch(stable, { redirect: 'manual' })).headers.get('location')).toContain(page);
  const { sessionID } = await call(dev.url, '/session/start', { token: 'keeper' });
  expect((await call(dev.url, '/wallet/authenticate', { sessionID })).balance.amount).toBe(1000 * UNIT);
  // Without --https the port serves https all the same.
  const secureUrl = dev.url.replace('http:', 'https:');
  const request = https.get(`${secureUrl}/game/https`, { rejectUnauthorized: false, agent: false });
  const [response] = await once(request, 'response');
  expect(JSON.parse((await response.toArray()).join(''))).toEqual({ url: secureUrl, refusals: 0 });
  await stop(dev);
});
