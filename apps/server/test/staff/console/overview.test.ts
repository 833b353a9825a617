import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Overview } from '@roundhouse/contract/admin';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLiveState, type LiveReading } from '../../../src/staff/console/overview/liveState.ts';
import { overviewOf } from '../../../src/staff/console/overview/overviewOf.ts';
import { readState } from '../../../src/staff/console/overview/readState.ts';
import { watchSessions } from '../../../src/staff/console/overview/watchSessions.ts';
import { readNodes } from '../../../src/staff/status/readNodes.ts';
import { readOutages } from '../../../src/staff/status/readOutages.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { readToday } from '../../../src/store/staff/overview.ts';
import { recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { startTestAdmin, type TestUser, useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { OPERATOR, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const viewer = () => admin.as({ role: 'viewer' });
const silent = pino({ level: 'silent' });

async function overview(operator?: string): Promise<Overview> {
  return overviewOf(await readState(server.db), operator) as Overview;
}

const BLANK = { rounds: 0, bets: '0', payouts: '0', ggr: '0', rtp: null, freeRounds: 0, freePayouts: '0' };

describe('the overview', () => {
  it('has bets, payouts, GGR and RTP of today by operator and game, beside the same weekday of last week', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    await server.endRound(sessionID);
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    const { lastWeekDay } = await readToday(server.db);
    const [version] = await server.db.gameVersion.findMany();
    const { id: operatorId } = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
    const key = {
      gameVersionId: version?.id ?? 0,
      mode: 'BASE',
      currency: 'EUR',
      operatorId,
      day: new Date(lastWeekDay),
    };
    const sums = { rounds: 12n, bets: 20, payouts: 19, freeRounds: 2n, freeBets: 10, freePayouts: 7 };
    await server.db.gameTotal.create({
      data: { ...key, ...sums, betSquares: 0, maxBet: 1, voidRounds: 0n, voidBets: 0 },
    });
    onTestFinished(async () => void (await server.db.gameTotal.deleteMany({ where: { day: new Date(lastWeekDay) } })));

    const now = await overview();
    const currency = now.operators.find(({ today }) => today.rounds > 0)?.currency;
    const today = { ...BLANK, rounds: 2, bets: '2000000', payouts: '1500000', ggr: '500000', rtp: 0.75 };
    const lastWeek = { rounds: 10, bets: '10', payouts: '12', ggr: '-2', rtp: 1.2, freeRounds: 2, freePayouts: '7' };
    const rows =
      currency === 'EUR'
        ? [{ currency, today, lastWeek }]
        : [
            { currency: 'EUR', today: BLANK, lastWeek },
            { currency, today, lastWeek: BLANK },
          ];
    expect(now.operators).toEqual(rows.map((row) => ({ operator: OPERATOR, ...row })));
    expect(now.games).toEqual(rows.map((row) => ({ game: 'fixture', ...row })));
  });

  it('counts open rounds until they are closed', async () => {
    const sessionID = await server.liveSession();
    const { openRounds: before } = await overview();
    await server.playBook(sessionID, BOOK.pays150);
    expect((await overview()).openRounds).toBe(before + 1);
    await server.endRound(sessionID);
    expect((await overview()).openRounds).toBe(before);
  });

  it('says of a node what its events say', async () => {
    const record = (kind: Parameters<typeof recordEvent>[1]['kind'], subject: string, after: object = {}) =>
      recordEvent(server.db, { kind, subject, after });
    await record('node_started', 'node alpha#1', { version: '1.2.3' });
    await record('node_stopped', 'node alpha#1');
    await record('node_started', 'node alpha#2', { version: '1.2.4' });
    await record('clock_offset', 'node alpha#2', { offsetMs: 1_500, isTooLarge: true });
    await record('install_mismatch', 'installation of alpha');
    await record('install_verified', 'installation of alpha');
    const nodes = await readNodes(server.db);
    expect(nodes.slice(0, 2)).toEqual([
      {
        ...{ node: 'alpha#2', version: '1.2.4', startedAt: expect.any(String), stoppedAt: null },
        ...{ clockOffsetMs: 1_500, install: 'verified' },
      },
      {
        ...{ node: 'alpha#1', version: '1.2.3', startedAt: expect.any(String), stoppedAt: expect.any(String) },
        ...{ clockOffsetMs: null, install: 'verified' },
      },
    ]);
    await record('clock_offset', 'node alpha#2', { offsetMs: 3, isTooLarge: false });
    await record('install_mismatch', 'installation of alpha');
    expect((await readNodes(server.db))[0]).toMatchObject({ clockOffsetMs: null, install: 'mismatch' });
  });

  it('names a wallet from the beginning of an outage to its end', async () => {
    await recordEvent(server.db, { kind: 'wallet_outage_began', subject: 'operator acme', after: { failures: 10 } });
    expect(await readOutages(server.db)).toEqual([{ operator: 'acme', since: expect.any(String) }]);
    await recordEvent(server.db, { kind: 'wallet_outage_ended', subject: 'operator acme', after: {} });
    expect(await readOutages(server.db)).toEqual([]);
  });

  it('counts unsettled wallet transactions by age, operator and last result', async () => {
    const state = await readState(server.db);
    const ages = { minute: 0, tenMinutes: 0, hour: 0, day: 0, older: 0 };
    const group = {
      ...{ operator: 'acme', state: 'pending' as const, currency: 'EUR', lastResultAt: new Date(1_000) },
      ...{ resultCode: 'timeout', oldestAt: new Date(0), amount: '1' },
    };
    const unsettled = [
      { ...group, ...ages, minute: 2, older: 1 },
      { ...group, ...ages, hour: 4, resultCode: null, lastResultAt: null },
      { ...group, ...ages, day: 5, state: 'parked' as const, lastResultAt: new Date(2_000) },
      { ...group, ...ages, minute: 1, operator: 'other', currency: 'USD' },
    ];
    expect(overviewOf({ ...state, unsettled, outages: [] }, 'acme')).toMatchObject({
      unsettled: [
        { operator: 'acme', state: 'pending', count: 7, ages: { ...ages, minute: 2, hour: 4, older: 1 } },
        { operator: 'acme', state: 'parked', count: 5, ages: { ...ages, day: 5 } },
      ],
      failingWallets: [
        {
          ...{ operator: 'acme', outageSince: null },
          results: [{ resultCode: 'timeout', count: 8, lastAt: '1970-01-01T00:00:02.000Z' }],
        },
      ],
    });
  });

  it('shows a user of an operator nothing of others, and neither nodes nor alarms', async () => {
    await setOperator(server.db, 'acme', {});
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    const { body: own } = await admin.as({ role: 'administrator', operator: 'acme' }).call('getOverview');
    expect(own).toMatchObject({ operators: [], games: [], openRounds: 0, nodes: null, rtpAlarms: null });
    const { body: all } = await viewer().call('getOverview');
    expect(all.operators.length).toBeGreaterThan(0);
    expect(all.nodes).not.toBeNull();
  });
});

describe('the live overview', () => {
  it('counts plays between two readings, also for one operator', async () => {
    const live = createLiveState({ db: server.db, log: silent }, 300);
    const rates: (number | null)[][] = [];
    const unwatch = live.watch((read?: LiveReading) => {
      if (read) rates.push([read.of(undefined).playsPerSecond, read.of(OPERATOR).playsPerSecond]);
    });
    onTestFinished(unwatch);
    await expect.poll(() => rates.length).toBeGreaterThan(0);
    expect(rates[0]).toEqual([null, null]);
    const sessionID = await server.liveSession();
    for (let play = 0; play < 5; play += 1) await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    const greatest = (place: number) => Math.max(...rates.map((each) => each[place] ?? 0));
    await expect.poll(() => [greatest(0) > 0, greatest(1) > 0]).toEqual([true, true]);
  });

  it('reads once for all watchers, and not at all without one', async () => {
    let statements = 0;
    const db = {
      $queryRaw: (...given: Parameters<typeof server.db.$queryRaw>) => {
        statements += 1;
        return server.db.$queryRaw(...given);
      },
    } as unknown as typeof server.db;
    const readings = [0, 0, 0];
    const live = createLiveState({ db, log: silent }, 100);
    const stops = readings.map((_, place) =>
      live.watch((read) => {
        if (read) readings[place] = (readings[place] ?? 0) + 1;
      }),
    );
    await expect.poll(() => Math.min(...readings)).toBeGreaterThan(3);
    // One reading of everything is 15 statements.
    expect(statements).toBeLessThanOrEqual(15 * Math.max(...readings) + 15);
    for (const stop of stops) stop();
    // A reading that was under way ends first.
    const more = async () => {
      const before = statements;
      await pause(300);
      return statements - before;
    };
    await expect.poll(more).toBe(0);
  });

  it('makes each overview once for all of one operator, and once for all of the server', async () => {
    const reading = await createLiveState({ db: server.db, log: silent }).now();
    for (const operator of [undefined, OPERATOR]) {
      expect(reading.of(operator)).toBe(reading.of(operator));
      expect(reading.textsOf(operator)).toBe(reading.textsOf(operator));
      const texts = [...reading.textsOf(operator)].map(([name, text]) => [name, JSON.parse(text)]);
      expect(Object.fromEntries(texts)).toEqual(reading.of(operator));
    }
    expect(reading.of(OPERATOR)).not.toEqual(reading.of(undefined));
  });

  it('looks the sessions of all watchers up in one go', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[][] = [];
    const user = (sessionID: string) => ({ sessionID, userID: 'u', role: 'viewer', operatorID: null });
    const access = {
      sessionUsers: async (sessionIDs: readonly string[]) => {
        asked.push([...sessionIDs]);
        return sessionIDs.filter((each) => each !== 'ended').map(user);
      },
    } as unknown as Parameters<typeof watchSessions>[0]['access'];
    const sessions = watchSessions({ access, log: silent });
    const seen: unknown[] = [];
    const stops = ['a', 'b', 'a', 'ended'].map((each) =>
      sessions.watch(each, (found) => void seen.push(found?.sessionID)),
    );
    vi.advanceTimersByTime(5_000);
    await expect.poll(() => seen).toEqual(['a', 'b', 'a', undefined]);
    expect(asked).toEqual([['a', 'b', 'ended']]);
    for (const stop of stops) stop();
    vi.advanceTimersByTime(10_000);
    expect(asked).toHaveLength(1);
  });

  it('says that the database is away, and goes on when it is back', async () => {
    let isAway = true;
    const db = {
      $queryRaw: (...given: Parameters<typeof server.db.$queryRaw>) =>
        isAway ? Promise.reject(new Error('away')) : server.db.$queryRaw(...given),
    } as unknown as typeof server.db;
    const seen: boolean[] = [];
    onTestFinished(createLiveState({ db, log: silent }, 50).watch((read) => void seen.push(read !== undefined)));
    await expect.poll(() => seen).toContain(false);
    isAway = false;
    await expect.poll(() => seen).toContain(true);
  });

  it('sends the whole overview first, then only what changed', async () => {
    const events = await follow({ role: 'viewer', operator: OPERATOR });
    const first = await events.next();
    expect(first).toMatchObject({ event: 'overview', data: { openRounds: expect.any(Number), nodes: null } });
    let known: Record<string, unknown> = first.data;
    for (let count = 0; count < 2; count += 1) {
      const { event, data } = await events.next();
      expect(event).toBe('overview');
      expect(Object.entries(data).filter(([name, value]) => isDeepStrictEqual(value, known[name]))).toEqual([]);
      // The nodes of the server stay out of what a user of an operator gets.
      expect(data).not.toHaveProperty('nodes');
      known = { ...known, ...data };
    }
    await events.close();
  });

  it('ends when the session of its user ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const events = await follow({ role: 'viewer', email: 'leaver@example.com' });
    expect((await events.next()).event).toBe('overview');
    admin.endSessions('leaver@example.com');
    vi.advanceTimersByTime(5_000);
    const ends = async (): Promise<void> => ((await events.next()).event === 'end' ? undefined : ends());
    await ends();
    await expect(events.next()).rejects.toThrow('the stream has ended');
  });

  it('does not keep a console that stops', async () => {
    const other = await startTestAdmin(server);
    const events = await follow({ role: 'viewer' }, other.url);
    await events.next();
    await other.close();
  });

  it('is refused without a session', async () => {
    expect((await admin.send('/admin/overview/live', {})).status).toBe(401);
  });

  it('has six streams for each user: one more is refused until one of them ends', async () => {
    const user: TestUser = { role: 'viewer', email: 'many@example.com' };
    const streams = await Promise.all(Array.from({ length: 6 }, () => follow(user)));
    const refused = await viewerRequest(user);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(refused.body).toMatchObject({
      error: 'ERR_VAL',
      message: 'you have 6 live pages open already: end one, or wait',
    });
    const other = await follow({ role: 'viewer', email: 'other@example.com' });
    await streams[0]?.close();
    const again = async () => (await viewerRequest(user)).status;
    await expect.poll(again).toBe(200);
    for (const each of [...streams.slice(1), other]) await each.close();
  });
});

type Event = { event: string; data: Partial<Overview> };

/** Asks for the stream, and ends it when it is given. */
async function viewerRequest(user: TestUser) {
  const controller = new AbortController();
  const headers = { 'x-test-user': JSON.stringify(user) };
  const response = await fetch(`${admin.url}/admin/overview/live`, { headers, signal: controller.signal });
  const body = response.status === 200 ? undefined : await response.json();
  controller.abort();
  return { status: response.status, headers: response.headers, body };
}

/** Opens the stream as a browser does. */
async function follow(user: TestUser, url = admin.url) {
  const controller = new AbortController();
  const response = await fetch(`${url}/admin/overview/live`, {
    headers: { 'x-test-user': JSON.stringify(user) },
    signal: controller.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<Event> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          const field = (name: string) =>
            lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
          return { event: field('event'), data: JSON.parse(field('data')) };
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream has ended');
        text += value;
      }
    },
    close: async () => controller.abort(),
  };
}
