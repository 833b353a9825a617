import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { call, liveSession, post } from '../support/rgsCalls.ts';
import {
  type Dev,
  databaseOf,
  isRunning,
  postgresPid,
  SAMPLE_GAME,
  spawnRoundhouse,
  startDev,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';

const UNIT = 1_000_000;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await temporaryFolder('stop');
});

/** A play that waits, because the account of its player is held. */
async function playInFlight(dev: Dev, token: string) {
  const sessionID = await liveSession(dev.url.replace('https:', 'http:'), { token });
  const lock = await lockAccount(await databaseOf(dataFolder), token);
  return { body: { sessionID, amount: UNIT, mode: 'BASE' }, lock };
}

async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const attempt = () =>
    new Promise<string>((resolve) => {
      const socket = net.connect({ host: hostname, port: Number(port) });
      socket
        .on('connect', () => resolve('connected'))
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      socket.on('connect', () => socket.destroy());
    });
  await expect.poll(attempt).toBe('ECONNREFUSED');
}

async function expectCleanEnd(dev: Dev, postgres: number): Promise<void> {
  expect(await dev.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(isRunning(postgres)).toBe(false);
}

/** Two connections that never bring a whole request. */
async function openIdle({ url }: Dev): Promise<net.Socket[]> {
  const [silent, half] = [0, 1].map(() => net.connect({ host: '127.0.0.1', port: Number(new URL(url).port) }));
  for (const socket of [silent, half]) socket?.on('error', () => {});
  await once(silent as net.Socket, 'connect');
  half?.write('POST /wallet/play HTTP/1.1\r\nHost: x\r\n');
  // The response comes after both were accepted.
  expect((await fetch(`${url.replace('https:', 'http:')}/healthz`)).status).toBe(200);
  return [silent as net.Socket, half as net.Socket];
}

/** The tests that follow start on the same data folder. */
test('a signal while it starts ends it with the code of the signal, in one line', async () => {
  const starting = spawnRoundhouse(['dev', SAMPLE_GAME, '--port', '0', '--data', dataFolder]);
  await expect.poll(() => readFile(path.join(dataFolder, 'running.json'), 'utf8').catch(() => '')).not.toBe('');
  starting.pressCtrlC();
  expect(await starting.exited).toMatchObject({ code: 130, stderr: 'SIGINT: stopped before it was done.\n' });
});

test('SIGTERM: a play in flight gets its response, new connections are refused, the database is closed', async () => {
  const dev = await startDev(dataFolder, [SAMPLE_GAME]);
  const idle = await openIdle(dev);
  const postgres = await postgresPid(dataFolder);
  const { body, lock } = await playInFlight(dev, 'in-flight');
  const played = post(dev.url, '/wallet/play', body);
  await lock.untilWaiting(1);
  dev.kill('SIGTERM');
  await dev.waitFor(/SIGTERM: finishing what is in flight\./);
  await untilRefused(dev.url);
  expect([dev.isRunning(), isRunning(postgres)]).toEqual([true, true]);
  await lock.release();
  expect(await played).toMatchObject({
    status: 200,
    body: { balance: { amount: 999 * UNIT }, round: { active: true } },
  });
  await expectCleanEnd(dev, postgres);
  for (const socket of idle) socket.destroy();
});

test('Ctrl-C, which arrives several times, does the same over https', async () => {
  const dev = await startDev(dataFolder, ['--https']);
  const idle = await openIdle(dev);
  const postgres = await postgresPid(dataFolder);
  const { body, lock } = await playInFlight(dev, 'in-flight-securely');
  const { cert } = JSON.parse(await readFile(path.join(dataFolder, 'certificate.json'), 'utf8'));
  const request = https.request(`${dev.url}/wallet/play`, { method: 'POST', ca: cert }).end(JSON.stringify(body));
  const played = once(request, 'response');
  await lock.untilWaiting(1);
  dev.pressCtrlC();
  await dev.waitFor(/SIGINT: finishing what is in flight\./);
  dev.kill('SIGINT');
  await untilRefused(dev.url);
  await lock.release();
  const [response] = await played;
  expect([response.statusCode, JSON.parse((await response.toArray()).join('')).balance.amount]).toEqual([
    200,
    999 * UNIT,
  ]);
  await expectCleanEnd(dev, postgres);
  for (const socket of idle) socket.destroy();
});

test('a second signal does not wait for what is in flight, and nothing stays behind; a closed terminal is an orderly end', async () => {
  const dev = await startDev(dataFolder, [SAMPLE_GAME]);
  const postgres = await postgresPid(dataFolder);
  const { body, lock } = await playInFlight(dev, 'insistent');
  const played = post(dev.url, '/wallet/play', body).catch(() => 'cut off');
  await lock.untilWaiting(1);
  await expect
    .poll(() => {
      if (dev.isRunning()) dev.kill('SIGINT');
      return dev.isRunning();
    })
    .toBe(false);
  expect((await dev.exited).code).toBe(1);
  expect(await played).toBe('cut off');
  await lock.release();

  const next = await startDev(dataFolder, [SAMPLE_GAME]);
  expect(await postgresPid(dataFolder)).not.toBe(postgres);
  const { sessionID } = await call(next.url, '/session/start', { token: 'in-flight' });
  expect((await call(next.url, '/wallet/authenticate', { sessionID })).round.active).toBe(true);
  expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: /);
  // A closed terminal is an orderly end too.
  const second = await postgresPid(dataFolder);
  next.closeTerminal();
  await expectCleanEnd(next, second);
});
