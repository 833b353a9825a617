import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, post, type RgsBody, sessionOf } from '../support/rgsCalls.ts';
import {
  type Dev,
  expectOneLine,
  runRoundhouse,
  SAMPLE_GAME,
  startDev,
  stop,
  temporaryFolder,
} from '../support/roundhouse.ts';

const UNIT = 1_000_000;
let dataFolder: string;
let dev: Dev;

beforeAll(async () => {
  dataFolder = await temporaryFolder('sample');
});

async function balanceOf(url: string, token: string): Promise<number> {
  const { sessionID } = await call(url, '/session/start', { token });
  return (await call(url, '/wallet/authenticate', { sessionID })).balance.amount;
}

async function expectBusy(port: string): Promise<void> {
  const taken = net.createServer().listen(Number(port), '127.0.0.1');
  await once(taken, 'listening');
  const exit = await runRoundhouse(['dev', SAMPLE_GAME, '--port', port, '--data', dataFolder]);
  taken.close();
  expectOneLine(exit, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use\\. Choose another with --port\\.$`, 'm'));
}

describe('roundhouse dev', () => {
  beforeAll(async () => {
    dev = await startDev(dataFolder, [SAMPLE_GAME]);
  });

  test('serves the game of the folder', () => {
    expect(dev.output()).toContain('Roundhouse serves one game on http://127.0.0.1:');
    expect(dev.output()).toMatch(/^Sample Lines: sample-lines, version 1\.0\.0$/m);
    expect(dev.curls).toHaveLength(6);
  });

  test('the curl lines, sent as they are printed, walk through a round and resume it', async () => {
    expectWalk(await walkWith(dev.curls, sendLikeCurl));
  });

  test('and so they do in a shell', async (context) => {
    const sh = promisify(execFile);
    const hasCurl = await sh('curl', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasCurl) context.skip('there is no curl here');
    expectWalk(await walkWith(dev.curls, async (line) => JSON.parse((await sh('/bin/sh', ['-c', line])).stdout)));
  });

  test('the launch URL of a game without a front end is a page of which everything loads', async () => {
    const [launchUrl = ''] = dev.launchUrls;
    const page = await fetch(launchUrl);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const loaded = await loadAssets(launchUrl, await page.text());
    expect([...loaded].map((url) => path.extname(new URL(url).pathname))).toEqual(
      expect.arrayContaining(['.css', '.js', '.svg']),
    );
  });

  test('a second start on its data folder says so and where', async () => {
    const second = await runRoundhouse(['dev', SAMPLE_GAME, '--port', '0', '--data', dataFolder]);
    expectOneLine(second, /already runs on .* \(process \d+, http:\/\/127\.0\.0\.1:\d+\): stop it/);
    expect(second.stderr).toContain(`process ${dev.pid}, ${dev.url}`);
    expect(await balanceOf(dev.url, 'still-served')).toBe(1000 * UNIT);
  });

  test('a session can be had beside it', async () => {
    const { code, stdout } = await runRoundhouse(['session', '--data', dataFolder, '--balance', '12.50']);
    expect(code).toBe(0);
    const sessionID = sessionOf(stdout.trim());
    expect(stdout).toContain(`${dev.url}/sample-lines/1.0.0/index.html?`);
    const { balance } = await call(dev.url, '/wallet/authenticate', { sessionID });
    expect(balance.amount).toBe(12.5 * UNIT);
  });

  test('a busy port is one clear line, and what was played is kept for the next start', async () => {
    const { sessionID } = await call(dev.url, '/session/start', { token: 'keeper', setBalance: 7 * UNIT });
    const { port } = new URL(dev.url);
    await stop(dev);
    await expectBusy(port);
    dev = await startDev(dataFolder, [SAMPLE_GAME, '--https', '--log-level', 'info']);
    expect((await call(dev.url.replace('https:', 'http:'), '/wallet/authenticate', { sessionID })).balance.amount).toBe(
      7 * UNIT,
    );
  });
});

describe('roundhouse dev --https', () => {
  test('answers https and http on the one port, and launches with https', async () => {
    expect(dev.url).toMatch(/^https:/);
    expect(dev.launchUrls.every((url) => url.startsWith(`${dev.url}/`))).toBe(true);
    expect(dev.curls.every((line) => line.startsWith('curl -s -k https://'))).toBe(true);
    const { cert } = JSON.parse(await readFile(path.join(dataFolder, 'certificate.json'), 'utf8'));
    expect(await getSecurely(`${dev.url}/healthz`, cert)).toBe('{"status":"ok"}');
    expect((await fetch(`${dev.url.replace('https:', 'http:')}/healthz`)).status).toBe(200);
  });

  test('no log line is lost at the end', async () => {
    await post(
      dev.url.replace('https:', 'http:'),
      '/wallet/balance',
      { sessionID: 'x' },
      { 'X-Request-Id': 'the-last' },
    );
    await stop(dev);
    expect(dev.output()).toContain('the-last');
  });
});

test('roundhouse dev --fresh empties the data folder', async () => {
  dev = await startDev(dataFolder, [SAMPLE_GAME, '--fresh']);
  expect(await balanceOf(dev.url, 'keeper')).toBe(1000 * UNIT);
  await stop(dev);
});

async function walkWith(curls: readonly string[], send: (line: string) => Promise<RgsBody>): Promise<RgsBody[]> {
  const answers: RgsBody[] = [];
  for (const line of curls) answers.push(await send(line));
  return answers;
}

async function sendLikeCurl(line: string): Promise<RgsBody> {
  const [, url, body] = line.match(/^curl -s (\S+) -d '(.*)'$/) ?? [];
  const response = await fetch(url ?? '', { method: 'POST', body: body ?? '' });
  expect(response.status, line).toBe(200);
  return (await response.json()) as RgsBody;
}

function expectWalk(answers: RgsBody[]): void {
  expect(answers).toHaveLength(6);
  const [authenticated, played, recorded, resumed, ended, balance] = answers as [
    RgsBody,
    RgsBody,
    RgsBody,
    RgsBody,
    RgsBody,
    RgsBody,
  ];
  expect(authenticated.config.gameID).toBe('sample-lines');
  expect(played.round).toMatchObject({ active: true, amount: UNIT, mode: 'BASE', event: null });
  expect(played.balance.amount).toBe(authenticated.balance.amount - UNIT);
  expect(recorded).toEqual({ event: 'first reel stopped' });
  expect(resumed.round).toEqual({ ...played.round, event: 'first reel stopped' });
  expect(ended.balance.amount).toBe(played.balance.amount + played.round.payout);
  expect(balance).toEqual(ended);
}

/** Every file that the page names, and that its style and scripts name in turn. */
async function loadAssets(pageUrl: string, html: string): Promise<Set<string>> {
  const loaded = new Set<string>();
  const named = [...html.matchAll(/(?:src|href)="([^"#:]+)"/g)].map((match) => new URL(match[1] ?? '', pageUrl).href);
  for (const url of named) {
    if (loaded.has(url)) continue;
    loaded.add(url);
    const response = await fetch(url);
    expect(response.status, url).toBe(200);
    const text = await response.text();
    const imports = text.matchAll(/(?:from |import |import\(|url\()['"]?(\.[^'")]+)/g);
    named.push(...[...imports].map((match) => new URL(match[1] ?? '', url).href));
  }
  return loaded;
}

function getSecurely(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { ca, agent: false }, async (response) => resolve((await response.toArray()).join('')))
      .on('error', reject);
  });
}
