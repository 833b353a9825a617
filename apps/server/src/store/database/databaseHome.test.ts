import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCopy, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from './database.ts';
import { catchUp, findHome, findRoundIDs, ping, settleHome } from './databaseHome.ts';

let original: TestDatabase;
let copy: TestDatabase;
let db: Database;
let lineage: string;

beforeAll(async () => {
  original = await createTestDatabase();
  const before = openDatabase({ url: original.url, connections: 1 });
  const home = await findHome(before);
  expect(await findHome(before)).toEqual(home);
  expect(home.isRestored).toBe(false);
  lineage = home.lineage;
  await before.$disconnect();
  copy = await createCopy(original);
  db = openDatabase({ url: copy.url, connections: 1 });
});
afterAll(async () => {
  await db.$disconnect();
  await Promise.all([original.drop(), copy.drop()]);
});

it('a copy is restored until it is confirmed, and skips no more ids than JSON can hold', async () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  expect(await findHome(db)).toEqual({ lineage, isRestored: true });
  expect(await settleHome(db, { skip: largest + 1n })).toBeUndefined();
  expect(await findHome(db)).toMatchObject({ isRestored: true });
  expect(await settleHome(db, { skip: largest })).toBe(largest);
  expect(await findHome(db)).toEqual({ lineage, isRestored: false });
});

it('ids catch up once with what was seen elsewhere', async () => {
  await db.$executeRaw`SELECT setval('rounds_id_seq', 2000)`;
  await catchUp(db, { seen: 2_000n, skip: 100n });
  expect((await findRoundIDs(db)).last).toBe(2_000n);
  await catchUp(db, { seen: 2_001n, skip: 100n });
  expect((await findRoundIDs(db)).last).toBe(2_101n);
});

it('the place is that of the cluster, the database and the table', async () => {
  await db.databaseHome.updateMany({ data: { systemIdentifier: null } });
  expect(await findHome(db)).toMatchObject({ isRestored: false });
  for (const elsewhere of [{ systemIdentifier: '1' }, { databaseOid: 1n }, { tableOid: 1n }]) {
    await settleHome(db, { skip: 0n });
    expect(await findHome(db)).toMatchObject({ isRestored: false });
    await db.databaseHome.updateMany({ data: elsewhere });
    expect(await findHome(db)).toMatchObject({ isRestored: true });
  }
});

it('ping uses a connection for unknown callers', async () => {
  await ping(db);
  expect(db.anonymous.totalCount).toBe(1);
});
