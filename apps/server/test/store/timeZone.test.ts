import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('a database with another time zone keeps and tells the same moments', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  const db = openDatabase({ url: database.url });
  const written = new Date('2026-11-21T12:34:56.789Z');
  await db.maintenance.create({ data: { scope: 'server', target: '', level: 'no_new_rounds', since: written } });
  const [row] = await db.$queryRaw<object[]>`
    SELECT to_char(since AT TIME ZONE 'UTC', 'HH24:MI') AS text FROM maintenance`;
  expect(row).toEqual({ text: '12:34' });
  expect((await db.maintenance.findFirstOrThrow()).since).toEqual(written);
  const [clock] = await db.$queryRaw<[{ now: Date }]>`SELECT now() AS now`;
  expect(Math.abs(clock.now.getTime() - Date.now())).toBeLessThan(60_000);
  await db.$disconnect();
});
