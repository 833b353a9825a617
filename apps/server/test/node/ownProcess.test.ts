import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { runRoundhouse, SAMPLE_GAME, spawnRoundhouse } from '../support/roundhouse.ts';

const NOBODY_LISTENS = 'postgresql://127.0.0.1:1/x';
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
});

// All other tests run commands in a process that many runs share.
it.each<[args: string[], code: number, url?: string]>([
  [['migrate'], 0],
  [['session'], 1],
  [['verify', SAMPLE_GAME, '--json'], 0],
  [['books-balance'], 1, NOBODY_LISTENS],
  [['nonsense'], 1],
  [['reconcile', '--help'], 0],
])('%j ends by itself in a process of its own, with the same output and exit code %i', async (args, code, url) => {
  const env = { DATABASE_URL: url ?? databaseUrl };
  const alone = await spawnRoundhouse(args, { env }).exited;
  expect(alone).toMatchObject({ code, signal: null });
  expect(await runRoundhouse(args, { env })).toEqual(alone);
});
