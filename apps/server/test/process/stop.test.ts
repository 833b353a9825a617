import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { connectRaw } from '../support/rawHttp.ts';
import { call, liveSession } from '../support/rgsCalls.ts';
import {
  type Dev,
  databaseOf,
  isRunning,
  postgresPid,
  SAMPLE_GAME,
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

async function sendSecurely(dev: Dev, body: object) {
  const { cert } = JSON.parse(await readFile(path.join(dataFolder, 'certificate.json'), 'utf8'));
  const request = https.request(`${dev.url}/wallet/play`, { method: 'POST', ca: cert }).end(JSON.stringify(body));
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: JSON.parse((await response.toArray()).join('')) };
}

it('Ctrl-C, which arrives several times: a play in flight gets its response, then port and database are closed', async () => {
  const dev = await startDev(dataFolder, [SAMPLE_GAME, '--https']);
  const postgres = await postgresPid(dataFolder);
  // Two connections that never bring a whole request. The response comes after both were accepted.
  const idle = [await connectRaw(dev.url), await connectRaw(dev.url)];
  idle[1]?.write('POST /wallet/play HTTP/1.1\r\nHost: x\r\n');
  const sessionID = await liveSession(dev.url.replace('https:', 'http:'), { token: 'in-flight' });
  const lock = await lockAccount(await databaseOf(dataFolder), 'in-flight');
  const played = sendSecurely(dev, { sessionID, amount: UNIT, mode: 'BASE' });
  await lock.untilWaiting(1);
  dev.pressCtrlC();
  await dev.waitFor(/SIGINT: finishing what is in flight\./);
  dev.kill('SIGINT');
  await untilPortClosed(dev.url);
  expect([dev.isRunning(), isRunning(postgres)]).toEqual([true, true]);
  await lock.release();
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
