import { openClient } from '@roundhouse/service';
import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChainHead, verifyChain } from '../../src/ledger/eventChain.ts';
import { findChainHead, recordEvent, walkEvents } from '../../src/ledger/queries/significantEvents.ts';
import { useDatabase } from '../support/database.ts';

const EVENTS = 12;

const database = useDatabase();
/** A superuser, for whom no trigger works. */
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

async function verify(exported?: ChainHead): Promise<string[]> {
  const { issues } = await verifyChain({
    events: walkEvents(database.db),
    head: await findChainHead(database.db),
    exported,
  });
  return issues.map(({ event, what }) => `${event} ${what}`);
}

const place = fc.integer({ min: 1, max: EVENTS });

const NEW_VALUE = {
  ...{ actor: "'forged'", kind: "'forged'", subject: "'forged'", value_before: `'{"forged": true}'` },
  ...{ value_after: 'NULL', at: "at + interval '1 microsecond'", id: 'id + 1000' },
  ...{ previous_hash: "repeat('a', 64)", hash: "repeat('a', 64)" },
};

/** What is done to the table, and which findings name it. */
type Tampering = { sql: string; named: readonly string[] };

const inserted = 'INSERT INTO significant_events (actor, kind, subject, seq, previous_hash, hash)';

const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...Object.entries(NEW_VALUE))).map(([seq, [name, value]]) => ({
    sql: `UPDATE significant_events SET ${name} = ${value} WHERE seq = ${seq}`,
    named: [`event ${seq} was changed`],
  })),
  // With its own hash computed anew it no longer fits the next one, or the head.
  place.map((seq) => ({
    sql: `UPDATE significant_events SET actor = 'forged' WHERE seq = ${seq};
      UPDATE significant_events e SET hash = significant_event_hash(e) WHERE seq = ${seq}`,
    named: [seq === EVENTS ? 'the head of the chain is' : `event ${seq + 1} does not follow`],
  })),
  fc.tuple(place, place).map(([one, other]) => {
    const [first, last] = one < other ? [one, other] : [other, one];
    return {
      sql: `DELETE FROM significant_events WHERE seq BETWEEN ${first} AND ${last}`,
      named: [first === last ? `event ${first} was removed` : `each of the events ${first} to ${last} was removed`],
    };
  }),
  fc
    .tuple(place, place)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => ({
      sql: `UPDATE significant_events SET seq = CASE seq WHEN ${one} THEN ${other} ELSE ${one} END WHERE seq IN (${one}, ${other})`,
      named: [`event ${one} was moved: it was event ${other}`, `event ${other} was moved: it was event ${one}`],
    })),
  fc.constant({
    sql: `${inserted} VALUES ('forged', 'node_started', 'x', NULL, NULL, NULL)`,
    named: ['was inserted: it has no place'],
  }),
  place.map((seq) => ({
    sql: `${inserted} SELECT 'forged', kind, subject, seq, previous_hash, hash FROM significant_events WHERE seq = ${seq}`,
    named: [`event ${seq} with id`],
  })),
  fc.constant({
    sql: `${inserted} VALUES ('forged', 'node_started', 'x', ${EVENTS + 1}, repeat('a', 64), repeat('b', 64))`,
    named: [`event ${EVENTS + 1} was changed`, `the head of the chain is event ${EVENTS}`],
  }),
  fc.constant({
    sql: 'UPDATE event_chain_head SET seq = seq - 1',
    named: [`the head of the chain is event ${EVENTS - 1}`],
  }),
);

it('a whole chain has no issue', async () => {
  expect(await verify(await findChainHead(database.db))).toEqual([]);
});

it('verify names whatever a superuser does to the table', async () => {
  await fc.assert(
    fc.asyncProperty(tampering, async ({ sql, named }) => {
      await tamperer.query(`CREATE TEMP TABLE kept AS TABLE significant_events; ${sql}`);
      const findings = await verify();
      await tamperer.query(`
        DELETE FROM significant_events; INSERT INTO significant_events TABLE kept; DROP TABLE kept;
        UPDATE event_chain_head SET (seq, hash) = (SELECT seq, hash FROM significant_events WHERE seq = ${EVENTS})`);
      for (const each of named) expect(findings).toContainEqual(expect.stringContaining(each));
    }),
    { numRuns: 150 },
  );
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
