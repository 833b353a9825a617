import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setInterval } from 'node:timers/promises';
import { publishMath, type WeightedBook } from '@roundhouse/math';
import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { type Roundhouse, SAMPLE_GAME, spawnRoundhouse, succeed, temporaryFolder } from '../../support/roundhouse.ts';

// processes.test.ts of packages/math tests what a killed loader leaves behind, and who removes it.

let published: string;
beforeAll(async () => {
  published = path.join(await temporaryFolder('large'), 'large-game');
  await publishMath(published, [{ name: 'base', cost: 1, books: largeBooks() }]);
});

/** They take seconds to load, since compression hardly makes them smaller. */
function* largeBooks(): Generator<WeightedBook> {
  let state = 1;
  for (let id = 1; id <= 60_000; id += 1) {
    const board = Array.from({ length: 150 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 10_000;
    });
    yield { id, payoutMultiplier: id % 2 === 0 ? 180 : 0, events: [{ index: 0, type: 'reveal', board }], weight: 1 };
  }
}

/** Waits until some of the books are in a store that is not finished. */
async function untilHalfLoaded(folder: string, loader: Roundhouse): Promise<void> {
  for await (const _ of setInterval(5)) {
    const names = await readdir(folder).catch(() => []);
    const loading = names.find((name) => name.startsWith('.loading')) ?? '';
    const written = await stat(path.join(folder, loading, '0.events')).catch(() => ({ size: 0 }));
    if (written.size > 0) return;
    if (!loader.isRunning() || /serves|SHA-256/.test(loader.output())) throw new Error(`not met: ${loader.output()}`);
  }
}

it('SIGTERM while dev loads books ends it in one line, and leaves no part of a store', async () => {
  const data = await temporaryFolder('interrupted');
  const env = { DATABASE_URL: (await createTestDatabase()).url };
  const starting = spawnRoundhouse(['dev', published, '--port', '0', '--data', data], { env });
  await untilHalfLoaded(path.join(data, 'books'), starting);
  starting.kill('SIGTERM');
  expect(await starting.exited).toMatchObject({ code: 143, stderr: 'SIGTERM: stopped before it was done.\n' });
  expect(starting.output()).not.toContain('Roundhouse serves');
  const left = await readdir(path.join(data, 'books'));
  expect(left.filter((name) => /^(\.loading|[0-9a-f]{64}$)/.test(name))).toEqual([]);
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
