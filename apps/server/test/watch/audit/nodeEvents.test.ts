import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { type NodeEvents, type NodeEventsOptions, startNodeEvents } from '../../../src/watch/audit/nodeEvents.ts';
import { useDatabase } from '../../support/database.ts';

const WINDOW_MS = 300;
const HOUR_MS = 3_600_000;
const database = useDatabase({ actor: 'node:host#1' });
const log = pino({ level: 'silent' });
const node = { name: 'host#1', version: '1.2.3' };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns what the work of a process adds to the log until it has stopped. */
async function eventsOf(
  work: (events: NodeEvents) => unknown,
  options: Partial<Pick<NodeEventsOptions, 'node' | 'db'>> = {},
) {
  const known = (await listEvents(database.db)).length;
  const events = startNodeEvents({ db: database.db, log, windowMs: WINDOW_MS, ...options });
  events.serving();
  await work(events);
  await Promise.all([events.stop(), events.stop()]);
  return (await listEvents(database.db)).slice(known).map(({ kind, subject, after }) => {
    return { kind, subject, ...JSON.parse(after ?? '{}') };
  });
}

const result = (kind: string) => ({ operator: 'acme', result: { kind } });
const times = (count: number, work: () => void) => Array.from({ length: count }, work);

it('a node is started and stopped once, with its version and settings', async () => {
  const subject = 'node host#1';
  const settings = { maxRtp: { value: 97, from: 'env' } };
  expect(await eventsOf(() => {}, { node: { ...node, settings } })).toEqual([
    { kind: 'node_started', subject, version: '1.2.3', nodeVersion: process.version, settings },
    { kind: 'node_stopped', subject, version: '1.2.3', lengthMs: expect.any(Number) },
  ]);
  expect(await eventsOf(() => {})).toEqual([]);
  const never = startNodeEvents({ db: database.db, log, node });
  await never.stop();
  expect(await listEvents(database.db, { kind: 'node_stopped' })).toHaveLength(1);
});

it('refused signatures are one event for each operator and window', async () => {
  const refused = await eventsOf(async ({ signatureRefused }) => {
    times(3, () => signatureRefused({ operator: 'acme', address: '203.0.113.1' }));
    signatureRefused({ operator: 'acme', address: '203.0.113.2' });
    signatureRefused({ operator: undefined, address: '203.0.113.3' });
    await expect.poll(async () => (await listEvents(database.db, { kind: 'signature_refused' })).length).toBe(2);
    signatureRefused({ operator: 'acme', address: undefined });
  });
  const kind = 'signature_refused';
  expect(refused).toEqual([
    { kind, subject: 'operator acme', count: 4, addresses: ['203.0.113.1', '203.0.113.2'] },
    { kind, subject: 'unknown operators', count: 1, addresses: ['203.0.113.3'] },
    { kind, subject: 'operator acme', count: 1, addresses: ['unknown'] },
  ]);
});

it('an outage of a wallet has a begin and an end, and the next one begins after a pause', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const outage = ({ observeWalletRequest }: NodeEvents) => {
    times(9, () => observeWalletRequest(result('uncertain')));
    observeWalletRequest(result('refused'));
    times(12, () => observeWalletRequest(result('not_sent')));
    now.mockReturnValue(Date.now() + 50);
    times(2, () => observeWalletRequest(result('accepted')));
  };
  const subject = 'operator acme';
  const both = [
    { kind: 'wallet_outage_began', subject, failures: 10 },
    { kind: 'wallet_outage_ended', subject, failures: 12, lengthMs: 50 },
  ];
  const found = await eventsOf((events) => {
    outage(events);
    outage(events);
    now.mockReturnValue(Date.now() + WINDOW_MS);
    outage(events);
  });
  expect(found).toEqual([...both, ...both]);
});

it('a database that was away is an event with its length, of one process of the node', async () => {
  const work = ({ databaseChanged }: NodeEvents) => {
    databaseChanged({ host: undefined, why: 'db1 is gone' });
    databaseChanged({ host: undefined, why: 'db1 is gone' });
    databaseChanged({ host: 'db2:5432', kind: 'promoted' });
  };
  const [, changed] = await eventsOf(work, { node });
  const expected = { kind: 'database_changed', subject: 'database db2:5432', node: 'host#1', why: 'db1 is gone' };
  expect(changed).toEqual({ ...expected, change: 'promoted', lengthMs: expect.any(Number) });
  expect(await eventsOf(work)).toEqual([]);
});

it('an event that cannot be written is written later', async () => {
  let fails = 1;
  const flaky = Object.create(database.db, {
    $executeRaw: {
      value: (...args: Parameters<Database['$executeRaw']>) => {
        fails -= 1;
        if (fails >= 0) throw new Error('no database');
        return database.db.$executeRaw(...args);
      },
    },
  }) as Database;
  const written = await eventsOf(
    () => expect.poll(async () => (await listEvents(database.db, { kind: 'node_started' })).length).toBe(3),
    { node, db: flaky },
  );
  expect(written.map(({ kind }) => kind)).toEqual(['node_started', 'node_stopped']);
});

it('a clock that is more than a second off is an event, and the offset is known', async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() - HOUR_MS);
  const found = await eventsOf(
    async ({ clockOffsetSeconds }) => {
      await expect.poll(clockOffsetSeconds).toBeGreaterThan(HOUR_MS / 1_000 - 60);
      expect(clockOffsetSeconds()).toBeLessThan(HOUR_MS / 1_000 + 60);
    },
    { node },
  );
  const off = found.find(({ kind }) => kind === 'clock_offset');
  expect(off).toEqual({ kind: 'clock_offset', subject: 'node host#1', offsetMs: expect.any(Number), isTooLarge: true });
});
