import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
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
  untilPortClosed,
} from '../support/roundhouse.ts';

const UNIT = 1_000_000;
// The tests start on the same data folder, one after the other.
let dataFolder: string;
beforeAll(async () => {
  dataFolder = await temporaryFolder('stop');
});

const httpUrl = (dev: Dev) => dev.url.replace('https:', 'http:');

/** A play of a new player that waits, because the test holds the account; `send` sends it. */
async function playInFlight(dev: Dev, token: string, send: (body: object) => Promise<unknown>) {
  const sessionID = await liveSession(httpUrl(dev), { token });
  const lock = await lockAccount(await databaseOf(dataFolder), token);
  const played = send({ sessionID, amount: UNIT, mode: 'BASE' });
  await lock.untilWaiting(1);
  return { played, release: lock.release };
}

/** Two connections that never bring a whole request. */
async function openIdle(dev: Dev): Promise<net.Socket[]> {
  const sockets = [0, 1].map(() => net.connect({ host: '127.0.0.1', port: Number(new URL(dev.url).port) }));
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  );
  sockets[1]?.write('POST /wallet/play HTTP/1.1\r\nHost: x\r\n');
  // The response comes after both were accepted.
  expect((await fetch(`${httpUrl(dev)}/healthz`)).status).toBe(200);
  return sockets;
}

async function sendSecurely(dev: Dev, body: object) {
  const { cert } = JSON.parse(await readFile(path.join(dataFolder, 'certificate.json'), 'utf8'));
  const request = https.request(`${dev.url}/wallet/play`, { method: 'POST', ca: cert }).end(JSON.stringify(body));
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: JSON.parse((await response.toArray()).join('')) };
}

it('a signal while it starts ends it with the code of the signal, in one line', async () => {
  const starting = spawnRoundhouse(['dev', SAMPLE_GAME, '--port', '0', '--data', dataFolder]);
  await expect.poll(() => readFile(path.join(dataFolder, 'running.json'), 'utf8').catch(() => '')).not.toBe('');
  starting.pressCtrlC();
  expect(await starting.exited).toMatchObject({ code: 130, stderr: 'SIGINT: stopped before it was done.\n' });
});

it('a second signal does not wait for what is in flight', async () => {
  // With the game that dev serves when none is named.
  const dev = await startDev(dataFolder);
  const { played, release } = await playInFlight(dev, 'insistent', (body) =>
    post(dev.url, '/wallet/play', body).catch(() => 'cut off'),
  );
  const signalAgain = () => {
    if (dev.isRunning()) dev.kill('SIGINT');
    return dev.isRunning();
  };
  await expect.poll(signalAgain).toBe(false);
  expect((await dev.exited).code).toBe(1);
  expect(await played).toBe('cut off');
  await release();
});

it('Ctrl-C, which arrives several times: a play in flight gets its response, then port and database are closed', async () => {
  const dev = await startDev(dataFolder, [SAMPLE_GAME, '--https']);
  const postgres = await postgresPid(dataFolder);
  const idle = await openIdle(dev);
  const { played, release } = await playInFlight(dev, 'in-flight', (body) => sendSecurely(dev, body));
  dev.pressCtrlC();
  await dev.waitFor(/SIGINT: finishing what is in flight\./);
  dev.kill('SIGINT');
  await untilPortClosed(dev.url);
  expect([dev.isRunning(), isRunning(postgres)]).toEqual([true, true]);
  await release();
  const body = { balance: { amount: 999 * UNIT }, round: { active: true } };
  expect(await played).toMatchObject({ status: 200, body });
  expect(await dev.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(isRunning(postgres)).toBe(false);
  for (const socket of idle) socket.destroy();
});

it('a closed terminal ends it in order; what was played before is there', async () => {
  const dev = await startDev(dataFolder, [SAMPLE_GAME]);
  const postgres = await postgresPid(dataFolder);
  const { sessionID } = await call(dev.url, '/session/start', { token: 'in-flight' });
  expect((await call(dev.url, '/wallet/authenticate', { sessionID })).round.active).toBe(true);
  expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: /);
  dev.closeTerminal();
  expect(await dev.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(isRunning(postgres)).toBe(false);
});
