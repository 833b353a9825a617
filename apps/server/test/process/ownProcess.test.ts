import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { runInProcess, runRoundhouse, SAMPLE_GAME } from '../support/roundhouse.ts';

const NOBODY_LISTENS = 'postgresql://127.0.0.1:1/x';
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
});

// The other tests run them in a process that many runs share.
test.each<[args: string[], code: number, url?: string]>([
  [['migrate'], 0],
  [['operator', 'add', 'acme', '--or-set'], 0],
  [['session'], 1],
  [['verify', SAMPLE_GAME, '--json'], 0],
  [['books-balance'], 1, NOBODY_LISTENS],
  [['nonsense'], 1],
  [['reconcile', '--help'], 0],
])('%j in a process of its own ends by itself, prints the same and has the exit code %i', async (args, code, url) => {
  const env = { DATABASE_URL: url ?? databaseUrl };
  const alone = await runInProcess(args, { env });
  expect(alone).toMatchObject({ code, signal: null });
  expect(await runRoundhouse(args, { env })).toEqual(alone);
});
