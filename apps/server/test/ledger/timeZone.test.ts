import { openClient } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { createTestDatabase } from '../support/database.ts';

it('a database with a zone of its own keeps and tells the same moments', async () => {
  const database = await createTestDatabase();
  const client = await openClient(database.url);
  await client.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
  await client.end();
  const db = openDatabase({ url: database.url });
  try {
    const written = new Date('2026-11-21T12:34:56.789Z');
    await db.maintenance.create({ data: { scope: 'server', target: '', level: 'no_new_rounds', since: written } });
    const [row] = await db.$queryRaw<
      { text: string }[]
    >`SELECT to_char(since AT TIME ZONE 'UTC', 'HH24:MI') AS text FROM maintenance`;
    expect(row?.text).toBe('12:34');
    const read = await db.maintenance.findFirstOrThrow();
    expect(read.since).toEqual(written);
    const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
    expect(Math.abs((clock?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  } finally {
    await db.$disconnect();
    await database.drop();
  }
});
