import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { type ChainHead, verifyChain } from '../../../src/store/watch/eventChain.ts';
import { findChainHead, recordEvent, walkEvents } from '../../../src/store/watch/significantEvents.ts';
import { useDatabase } from '../../support/database.ts';

const EVENTS = 12;

const database = useDatabase();
/** The tamperer is a superuser, for whom no trigger works. */
let tamperer: Client;

beforeAll(async () => {
  for (let index = 1; index <= EVENTS; index += 1) {
    await recordEvent(database.db, { kind: 'node_started', subject: `node ${index}`, after: { index } });
  }
  tamperer = await openClient(database.url);
  await tamperer.query('SET session_replication_role = replica');
  await tamperer.query('DROP INDEX significant_events_seq_key');
});
afterAll(() => tamperer.end());

async function verify(exported?: ChainHead, db: Pick<Database, '$queryRaw'> = database.db): Promise<string[]> {
  const { issues } = await verifyChain({ events: walkEvents(db), head: await findChainHead(db), exported });
  return issues.map(({ event, what }) => `${event} ${what}`);
}

const FORGED = 'INSERT INTO significant_events (actor, kind, subject, seq, previous_hash, hash)';
const LATER = `'forged', 'node_started', 'x', ${EVENTS + 1}, repeat('a', 64), repeat('b', 64)`;

/** Each has the findings that must name it. tampering.test.ts makes random edits of all columns. */
const TAMPERINGS: [sql: string, ...named: string[]][] = [
  ["UPDATE significant_events SET actor = 'forged' WHERE seq = 3", 'event 3 was changed'],
  // With its own hash computed anew it no longer fits the next one, or the head.
  [anew(3), 'event 4 does not follow'],
  [anew(EVENTS), 'the head of the chain is'],
  ['DELETE FROM significant_events WHERE seq = 1', 'event 1 was removed'],
  ['DELETE FROM significant_events WHERE seq BETWEEN 5 AND 7', 'each of the events 5 to 7 was removed'],
  [
    'UPDATE significant_events SET seq = CASE seq WHEN 2 THEN 9 ELSE 2 END WHERE seq IN (2, 9)',
    ...['event 2 was moved: it was event 9', 'event 9 was moved: it was event 2'],
  ],
  [`${FORGED} VALUES ('forged', 'node_started', 'x', NULL, NULL, NULL)`, 'was inserted: it has no place'],
  [
    `${FORGED} SELECT 'forged', kind, subject, seq, previous_hash, hash FROM significant_events WHERE seq = 4`,
    'event 4 with id',
  ],
  [`${FORGED} VALUES (${LATER})`, `event ${EVENTS + 1} was changed`, `the head of the chain is event ${EVENTS}`],
  ['UPDATE event_chain_head SET seq = seq - 1', `the head of the chain is event ${EVENTS - 1}`],
];

function anew(seq: number): string {
  return `UPDATE significant_events SET actor = 'forged' WHERE seq = ${seq};
    UPDATE significant_events e SET hash = significant_event_hash(e) WHERE seq = ${seq}`;
}

it('a whole chain has no issue', async () => {
  expect(await verify(await findChainHead(database.db))).toEqual([]);
});

it('verify names whatever a superuser does to the table', async () => {
  for (const [sql, ...named] of TAMPERINGS) {
    const findings: string[] = [];
    const tampered = database.db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      for (const statement of sql.split(';')) await tx.$executeRawUnsafe(statement);
      findings.push(...(await verify(undefined, tx)));
      throw new Error('roll back');
    });
    await expect(tampered).rejects.toThrow('roll back');
    for (const each of named) expect(findings, sql).toContainEqual(expect.stringContaining(each));
  }
  expect(await verify()).toEqual([]);
});

it('only an exported head shows that the end was cut off and the head written anew', async () => {
  const exported = await findChainHead(database.db);
  await tamperer.query(`
    DELETE FROM significant_events WHERE seq > 9;
    UPDATE event_chain_head SET seq = 9, hash = (SELECT hash FROM significant_events WHERE seq = 9)`);
  expect(await verify()).toEqual([]);
  expect(await verify(exported)).toEqual(['each of the events 10 to 12 was removed after the head was exported']);
  await recordEvent(database.db, { kind: 'node_started', subject: 'another' });
  expect(await verify({ ...exported, seq: 10n })).toEqual([expect.stringMatching(/^event 10 has another hash/)]);
});
