import { expect, it } from 'vitest';
import { EMPTY_CHAIN, hashOf } from '../../../src/store/watch/eventChain.ts';
import { EVENT_KINDS } from '../../../src/store/watch/eventKinds.ts';
import { findChainHead, listEvents, recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ actor: 'person:Ann B\\C' });

/** Expects no gap, every hash as computed here, and a head that is the last event. */
async function expectWholeChain(): Promise<number> {
  const events = await listEvents(database.db);
  let previous = EMPTY_CHAIN.hash;
  for (const [index, event] of events.entries()) {
    expect(event).toMatchObject({ seq: BigInt(index + 1), previousHash: previous, hash: hashOf(event) });
    expect(Object.keys(EVENT_KINDS)).toContain(event.kind);
    previous = event.hash ?? '';
  }
  expect(await findChainHead(database.db)).toEqual({ seq: BigInt(events.length), hash: previous });
  return events.length;
}

it('an event has its place, actor and time when its transaction commits', async () => {
  const { db } = database;
  await db.$transaction(async (tx) => {
    await recordEvent(tx, { kind: 'node_started', subject: 'näde "1"', after: { version: '1', text: 'ü, 1:2,' } });
    await recordEvent(tx, { kind: 'node_stopped', subject: '', before: {} });
    expect(await listEvents(tx)).toMatchObject([{ seq: null, hash: null }, { seq: null }]);
  });
  const [first, second] = await listEvents(db);
  const after = '{"version":"1","text":"ü, 1:2,"}';
  const actor = 'person:Ann B\\C';
  expect(first).toMatchObject({ actor, kind: 'node_started', subject: 'näde "1"', before: null, after });
  expect(second).toMatchObject({ seq: 2n, subject: '', before: '{}', after: null });
  expect(await expectWholeChain()).toBe(2);
});

it('a transaction that is rolled back leaves nothing, and the chain has no gap', async () => {
  const { db } = database;
  const refused = db.$transaction(async (tx) => {
    await recordEvent(tx, { kind: 'node_started', subject: 'nobody' });
    throw new Error('rolled back');
  });
  await expect(refused).rejects.toThrow('rolled back');
  await recordEvent(db, { kind: 'node_started', subject: 'somebody' });
  expect(await expectWholeChain()).toBe(3);
});

it('many transactions at once make one chain', async () => {
  const { db } = database;
  const before = await expectWholeChain();
  const transactions = Array.from({ length: 60 }, (_, index) =>
    db.$transaction(async (tx) => {
      for (const kind of ['node_started', 'node_stopped'] as const)
        await recordEvent(tx, { kind, subject: `node ${index}` });
      if (index % 3 === 0) throw new Error('rolled back');
    }),
  );
  await Promise.allSettled(transactions);
  expect(await expectWholeChain()).toBe(before + 80);
});

it.each([
  ...['UPDATE significant_events SET actor = $$nobody$$', 'DELETE FROM significant_events WHERE seq = 1'],
  ...['TRUNCATE significant_events', 'UPDATE event_chain_head SET seq = 0'],
  ...['DELETE FROM event_chain_head', 'TRUNCATE event_chain_head'],
])('%s is refused', async (sql) => {
  await expect(database.db.$executeRawUnsafe(sql)).rejects.toThrow(/only grows/);
  await expectWholeChain();
});

it('an event without an actor is by the role of the database', async () => {
  await database.db.$transaction([
    database.db.$executeRaw`SELECT set_config('roundhouse.actor', '', true)`,
    database.db.$executeRaw`SELECT record_significant_event('node_started', 'a node', NULL, NULL)`,
  ]);
  const [user] = await database.db.$queryRaw<{ name: string }[]>`SELECT session_user::text AS name`;
  expect((await listEvents(database.db)).at(-1)).toMatchObject({ actor: `database:${user?.name}` });
});
