import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setInterval } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { call, liveSession } from '../support/rgsCalls.ts';
import {
  type Roundhouse,
  SAMPLE_GAME,
  spawnRoundhouse,
  startDev,
  stop,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';
import { writeLargeGame } from './mathToolGame.ts';

const BOOKS = 60_000;
let published: string;
let dataFolder: string;
let env: { DATABASE_URL: string };

beforeAll(async () => {
  published = path.join(await temporaryFolder('large'), 'large-game');
  await writeLargeGame(published, { books: BOOKS });
  dataFolder = await temporaryFolder('interrupted');
  env = { DATABASE_URL: (await createTestDatabase()).url };
});

async function storesIn(folder: string) {
  const names = await readdir(folder).catch(() => []);
  return {
    finished: names.filter((name) => /^[0-9a-f]{64}$/.test(name)).length,
    loading: names.filter((name) => name.startsWith('.loading')),
  };
}

/** Until some of the books are in a store that is not finished. */
async function untilHalfLoaded(folder: string, loader: Roundhouse): Promise<void> {
  for await (const _ of setInterval(5)) {
    const [loading = ''] = (await storesIn(folder)).loading;
    const written = await stat(path.join(folder, loading, '0.events')).catch(() => ({ size: 0 }));
    if (written.size > 0) return;
    if (!loader.isRunning() || /serves|SHA-256/.test(loader.output())) throw new Error(`not met: ${loader.output()}`);
  }
}

it.each<[NodeJS.Signals, exit: object, loading: number]>([
  ['SIGTERM', { code: 143, signal: null, stderr: 'SIGTERM: stopped before it was done.\n' }, 0],
  ['SIGKILL', { code: null, signal: 'SIGKILL', stderr: '' }, 1],
])('%s while dev loads books leaves no finished store', async (signal, exit, loading) => {
  const store = path.join(dataFolder, 'books');
  const starting = spawnRoundhouse(['dev', published, '--port', '0', '--data', dataFolder], { env });
  await untilHalfLoaded(store, starting);
  starting.kill(signal);
  expect(await starting.exited).toMatchObject(exit);
  expect(starting.output()).not.toContain('Roundhouse serves');
  const left = await storesIn(store);
  expect([left.finished, left.loading.length]).toEqual([0, loading]);
});

it('the next start removes what was left, loads all books and serves', async () => {
  const dev = await startDev(dataFolder, [published], { env });
  expect(dev.output()).toContain(`BASE (1×, ${BOOKS} books)`);
  expect(await storesIn(path.join(dataFolder, 'books'))).toEqual({ finished: 1, loading: [] });
  const sessionID = await liveSession(dev.url);
  for (const bookID of [1, BOOKS]) {
    const found = await call(dev.url, '/game/search', { sessionID, mode: 'BASE', search: { bookID } });
    expect(found.round.state).toHaveLength(1);
  }
  await stop(dev);
});

it('verify leaves nothing in the temporary folder, also when it is stopped', async () => {
  const TMPDIR = await temporaryFolder('verify');
  const verifying = spawnRoundhouse(['verify', published], { env: { TMPDIR } });
  await expect.poll(() => readdir(TMPDIR)).toHaveLength(1);
  const [folder = ''] = await readdir(TMPDIR);
  await untilHalfLoaded(path.join(TMPDIR, folder), verifying);
  verifying.pressCtrlC();
  expect(await verifying.exited).toMatchObject({ code: 130 });
  expect(await readdir(TMPDIR)).toEqual([]);
  await succeed(['verify', SAMPLE_GAME, '--json'], { env: { TMPDIR } });
  expect(await readdir(TMPDIR)).toEqual([]);
});
