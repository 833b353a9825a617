import { Writable } from 'node:stream';
import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { type ChainWatch, watchChain } from '../../../src/watch/audit/chainWatch.ts';
import { useDatabase } from '../../support/database.ts';
import { jsonLinesOf } from '../../support/roundhouse.ts';

const EVENTS = 450;
/** A round of the log takes three slices. */
const EVENTS_OF_SLICE = 200;
const PAUSE_MS = 20;

const database = useDatabase();
/** The tamperer is a superuser, for whom no trigger works. */
let tamperer: Client;
let watch: ChainWatch;
let logged: string;

beforeAll(async () => {
  for (let index = 1; index <= EVENTS; index += 1)
    await recordEvent(database.db, { kind: 'node_started', subject: `node ${index}`, after: { index } });
  tamperer = await openClient(database.url);
  await tamperer.query('SET session_replication_role = replica');
  await tamperer.query('CREATE TABLE kept AS SELECT * FROM significant_events');
  await tamperer.query('CREATE TABLE kept_head AS SELECT * FROM event_chain_head');
});
afterAll(() => tamperer.end());

beforeEach(async () => {
  logged = '';
  const stream = new Writable({
    write(line, _encoding, done) {
      logged += line;
      done();
    },
  });
  const options = { pauseMs: PAUSE_MS, eventsOfSlice: EVENTS_OF_SLICE };
  watch = watchChain({ db: database.db, log: pino({ base: null }, stream), ...options });
  expect(watch.state()).toEqual({ isVerified: undefined, checkedAt: undefined });
  await expect.poll(() => watch.state().isVerified).toBe(true);
});
afterEach(() => watch.stop());

/** Puts the log back as it was. */
async function repair(): Promise<void> {
  await tamperer.query(`
    TRUNCATE significant_events; INSERT INTO significant_events SELECT * FROM kept;
    UPDATE event_chain_head h SET seq = k.seq, at = k.at, hash = k.hash FROM kept_head k`);
}

const lines = (): { level: number; event?: string; what?: string; msg: string }[] =>
  logged === '' ? [] : jsonLinesOf(logged);

/** Waits for this number of ends of rounds. */
async function roundsEnded(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const last = watch.state().checkedAt;
    await expect.poll(() => watch.state().checkedAt).not.toEqual(last);
  }
}

it.each([
  ['edited', "UPDATE significant_events SET actor = 'forged' WHERE seq = 3", 'event 3', 'was changed, or moved'],
  [
    'edited, its hash computed anew',
    `UPDATE significant_events SET actor = 'forged' WHERE seq = 300;
     UPDATE significant_events e SET hash = significant_event_hash(e) WHERE seq = 300`,
    'event 301',
    'does not follow the event before it: one of the two was replaced',
  ],
  ['deleted', 'DELETE FROM significant_events WHERE seq = 200', 'event 200', 'was removed'],
  ['the last one, deleted', `DELETE FROM significant_events WHERE seq = ${EVENTS}`, `event ${EVENTS}`, 'was removed'],
  [
    'inserted',
    `INSERT INTO significant_events (id, actor, kind, subject) VALUES (1000000, 'forged', 'node_started', 'x')`,
    'the row with id 1000000',
    'was inserted: it has no place in the chain',
  ],
])('an event that is %s is found in a round, and logged once', async (_what, sql, event, what) => {
  await tamperer.query(sql);
  // The round of now may have passed the event already.
  await roundsEnded(2);
  expect(watch.state().isVerified).toBe(false);
  await roundsEnded(2);
  const [line, ...more] = lines();
  expect({ line, more }).toMatchObject({ line: { level: 50, event, what }, more: [] });
  await repair();
  await expect.poll(() => watch.state().isVerified).toBe(true);
  expect(lines().map(({ level, msg }) => ({ level, msg }))).toEqual([
    { level: 50, msg: 'the log of significant events is broken; `roundhouse audit verify` names each event' },
    { level: 30, msg: 'the log of significant events is whole again' },
  ]);
});

it('a log that was cut off, with a head that fits, is not whole for a watch that has seen more', async () => {
  await tamperer.query(`
    DELETE FROM significant_events WHERE seq > 400;
    UPDATE event_chain_head SET seq = 400, hash = (SELECT hash FROM significant_events WHERE seq = 400)`);
  await roundsEnded(3);
  expect(watch.state().isVerified).toBe(false);
  expect(lines()).toMatchObject([
    { event: `each of the events 401 to ${EVENTS}`, what: expect.stringContaining('after the head was exported') },
  ]);
  await repair();
});

it('events that come meanwhile are verified, and break nothing', async () => {
  for (let index = 0; index < 100; index += 1)
    await recordEvent(database.db, { kind: 'node_stopped', subject: `node ${index}` });
  await roundsEnded(2);
  expect({ ...watch.state(), lines: lines() }).toMatchObject({ isVerified: true, lines: [] });
});
