import { openClient } from '@roundhouse/service';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lockAccount } from '../../support/accountLock.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { UNIT } from '../../support/testServer.ts';
import { growth, readSamples } from './samples.ts';

// Other tests have the metrics of overloads, dropped log lines, tests of random numbers, round
// stops and the installation. walletClient.test.ts has requests that wait.

const server = useSeamlessServer();
const KEY = 'the-key-of-a-play';

const played = (result: string, mode = 'BASE', game = 'fixture') =>
  `roundhouse_plays_total{game="${game}",mode="${mode}",result="${result}"}`;
const requested = (route: string, status: number, result: string) =>
  `roundhouse_request_duration_seconds_count{route="${route}",status="${status}",result="${result}"}`;
const walletRequested = (route: string, result: string) =>
  `roundhouse_wallet_request_duration_seconds_count{operator="acme",route="${route}",result="${result}"}`;
const mathOf = (mode: string) => {
  const math = server.catalogue.math({ gameID: 'fixture', version: '1.0.0', mode });
  if (math === undefined) throw new Error('the fixture has the mode');
  return math;
};

/**
 * Ends the statement that waits for a lock, as a time-out of PostgreSQL does, or its connection.
 */
async function signalWaiting(by: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  const client = await openClient(server.databaseUrl);
  await client.query(
    `SELECT ${by}(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await client.end();
}

type Case = { name: string; cause: () => Promise<unknown>; grows: Record<string, number> };

const CASES: Case[] = [
  {
    name: 'a play',
    cause: async () => server.play(await server.liveSession()),
    grows: {
      [requested('/wallet/authenticate', 200, 'ok')]: 1,
      [requested('/wallet/play', 200, 'ok')]: 1,
      [played('accepted')]: 1,
      'roundhouse_batch_size_bucket{le="1",command="open_rounds"}': 1,
      'roundhouse_batch_wait_seconds_count{command="open_rounds"}': 1,
      'roundhouse_batch_duration_seconds_count{command="open_rounds",result="ok"}': 1,
      'roundhouse_batch_size_count{command="session look-up"}': 1,
      'roundhouse_sessions_active{operator="house"}': 1,
    },
  },
  {
    name: 'a play that is sent twice, with its mode in lower case',
    cause: async () => {
      const sessionID = await server.liveSession();
      await server.play(sessionID, { mode: 'bonus' }, KEY);
      await server.play(sessionID, { mode: 'bonus' }, KEY);
    },
    grows: { [played('accepted', 'BONUS')]: 1, [played('replayed', 'BONUS')]: 1 },
  },
  {
    name: 'a bet that breaks the rules, one in a round, and one without a session',
    cause: async () => {
      const sessionID = await server.liveSession();
      await server.play(sessionID, { amount: 1_000 * UNIT });
      await server.playBook(sessionID, BOOK.pays150);
      await server.play(sessionID);
      await server.play('nobody');
    },
    grows: {
      [requested('/wallet/play', 400, 'ERR_VAL')]: 2,
      [requested('/wallet/play', 400, 'ERR_IS')]: 1,
      [played('bet_refused')]: 1,
      [played('round_active')]: 1,
      [played('session_invalid', 'unknown', 'unknown')]: 1,
    },
  },
  {
    name: 'a book that cannot be read',
    cause: async () => {
      const failed = vi.spyOn(mathOf('BASE'), 'readEvents').mockImplementationOnce(() => {
        throw new Error('the disk is broken');
      });
      await server.play(await server.liveSession());
      failed.mockRestore();
    },
    grows: { [requested('/wallet/play', 500, 'ERR_GEN')]: 1, [played('error')]: 1 },
  },
  {
    name: 'a book from a slow disk',
    cause: async () => {
      const slow = vi.spyOn(mathOf('BASE'), 'readEvents').mockImplementationOnce(() => {
        const untilMs = performance.now() + 2;
        while (performance.now() < untilMs);
        return Buffer.from('[]');
      });
      await server.play(await server.liveSession());
      slow.mockRestore();
    },
    grows: { 'roundhouse_book_reads_slow_total{game="fixture"}': 1 },
  },
  {
    name: 'a page, and a path without anything',
    cause: async () => {
      await server.send('/healthz');
      await server.send('/nothing');
    },
    grows: { [requested('other', 200, 'none')]: 2, [requested('other', 404, 'ERR_VAL')]: 1 },
  },
  {
    name: 'a statement that PostgreSQL ends',
    cause: async () => {
      const token = 'meets-a-lock';
      const sessionID = await server.liveSession({ token });
      const lock = await lockAccount(server.databaseUrl, token);
      const play = server.play(sessionID);
      await lock.untilWaiting(1);
      await signalWaiting('pg_cancel_backend');
      expect((await play).status).toBe(500);
      await lock.release();
    },
    grows: {
      'roundhouse_batch_duration_seconds_count{command="open_rounds",result="failed"}': 1,
      'roundhouse_database_errors_total{code="57014"}': 1,
      [played('error')]: 1,
    },
  },
  {
    name: 'a connection that PostgreSQL closes, unseen by the player',
    cause: async () => {
      const token = 'loses-a-connection';
      const sessionID = await server.liveSession({ token });
      const lock = await lockAccount(server.databaseUrl, token);
      const play = server.play(sessionID);
      await lock.untilWaiting(1);
      await signalWaiting('pg_terminate_backend');
      await lock.release();
      expect((await play).status).toBe(200);
    },
    grows: {
      'roundhouse_batch_duration_seconds_count{command="open_rounds",result="ok"}': 1,
      'roundhouse_batch_duration_seconds_count{command="open_rounds",result="failed"}': 0,
      'roundhouse_database_errors_total{code="57P01"}': 1,
    },
  },
  {
    name: 'a seamless play',
    cause: async () => server.play(await server.seamlessSession()),
    grows: {
      [walletRequested('authenticate', 'accepted')]: 1,
      [walletRequested('debit', 'accepted')]: 1,
      [played('accepted')]: 1,
      'roundhouse_sessions_active{operator="acme"}': 1,
    },
  },
  {
    name: 'wallets that refuse, and that do not respond for certain',
    cause: async () => {
      const sessionID = await server.seamlessSession();
      server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
      await server.play(sessionID);
      server.wallet.next('/debit', { kind: 'cut', done: false });
      await server.play(sessionID);
      await server.settled();
    },
    grows: {
      [walletRequested('debit', 'refused')]: 1,
      [walletRequested('debit', 'uncertain')]: 1,
      [walletRequested('rollback', 'refused')]: 1,
      [requested('/wallet/play', 400, 'ERR_IPB')]: 1,
      [played('balance_too_low')]: 1,
      [played('wallet_uncertain')]: 1,
    },
  },
  {
    name: 'a losing round that closes itself',
    cause: async () => {
      await server.playBook(await server.seamlessSession(), BOOK.pays0, { mode: 'AUTO' });
      expect((await readSamples(server.url)).get('roundhouse_closings_waiting')).toBe(1);
      await server.settled();
    },
    grows: {
      'roundhouse_closings_per_request_bucket{le="1"}': 1,
      roundhouse_closings_waiting: 0,
      [walletRequested('closeRounds', 'accepted')]: 1,
    },
  },
  {
    name: 'the database: away, back, started again, and another one',
    cause: async () => {
      const { writer } = server.db;
      writer.onChange({ host: undefined, why: 'a test' });
      for (const kind of ['returned', 'restarted', 'promoted'] as const) writer.onChange({ host: 'one', kind });
    },
    grows: {
      roundhouse_database_outages_total: 1,
      'roundhouse_database_changes_total{kind="restarted"}': 1,
      'roundhouse_database_changes_total{kind="promoted"}': 1,
      'roundhouse_database_changes_total{kind="moved"}': 0,
    },
  },
];

it.each(CASES)('$name', async ({ cause, grows }) => {
  const before = await readSamples(server.url);
  await cause();
  expect(growth(before, await readSamples(server.url), Object.keys(grows))).toEqual(grows);
});

it('connections in use, and statements that wait for one', async () => {
  const { pool, anonymous } = server.db;
  const taken = await Promise.all(Array.from({ length: anonymous.options.max }, () => anonymous.connect()));
  const waiting = anonymous.query('SELECT');
  const samples = await readSamples(server.url);
  for (const client of taken) client.release();
  await waiting;
  const read = (name: string) => samples.get(`roundhouse_database_${name}`);
  expect(read('connections{pool="anonymous",state="in_use"}')).toBe(anonymous.options.max);
  expect(read('connections{pool="anonymous",state="idle"}')).toBe(0);
  expect(read('waiting{pool="anonymous"}')).toBe(1);
  expect(read('connections_max{pool="players"}')).toBe(pool.options.max);
  expect(read('connections_max{pool="leases"}')).toBe(1);
  expect(read('writable')).toBe(1);
});

it('requests in flight to a wallet, and a wallet that gets none for a pause', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const sessionID = await server.seamlessSession();
  const read = async () => {
    const samples = await readSamples(server.url);
    return ['requests_in_flight', 'requests_waiting', 'paused'].map((name) =>
      samples.get(`roundhouse_wallet_${name}{operator="acme",pool="knownSessions"}`),
    );
  };
  let during: unknown;
  server.wallet.next('/balance', {
    kind: 'before',
    run: async () => {
      during = await read();
    },
  });
  expect((await server.balance(sessionID)).status).toBe(200);
  expect(during).toEqual([1, 0, 0]);
  server.wallet.next('/balance', { kind: 'cut', done: false }, 10);
  for (let failures = 0; failures < 10; failures += 1) await server.balance(sessionID);
  expect(await read()).toEqual([0, 0, 1]);
  vi.advanceTimersByTime(2_000);
  expect(await read()).toEqual([0, 0, 0]);
});

it('the build', async () => {
  const names = [...(await readSamples(server.url)).keys()];
  expect(names).toContainEqual(
    expect.stringMatching(/^roundhouse_build_info\{version="\d+\.\d+\.\d+[^"]*",node_version="v\d+\.\d+\.\d+"\}$/),
  );
});
