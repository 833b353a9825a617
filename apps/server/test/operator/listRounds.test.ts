import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRounds } from '../../src/ledger/queries/operatorRounds.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { addHouseOperator, type Caller, operatorClient } from './operatorClient.ts';
import { createRounds, type PlannedRound, type Scene } from './roundScene.ts';

const STATES = ['open', 'settled', 'void'] as const;
/** Ids and times disagree by less than the list allows for. */
const DISORDER_MS = 120_000;

let server: TestServer;
let scene: Scene;
let caller: Caller;

beforeAll(async () => {
  server = await startTestServer({ local: false });
  caller = await addHouseOperator(server.db);
  scene = await createRounds(server.db, caller.code);
});

afterAll(() => server.close());

const plannedRound = fc.record({
  /** Of two operators, two players each; the first two belong to the caller. */
  player: fc.nat(3),
  game: fc.nat(1),
  state: fc.constantFrom(...STATES),
  /** Sequences have holes. */
  idGap: fc.integer({ min: 1, max: 5 }),
  // Often less than the disorder, so that ids and times do disagree.
  laterMs: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 3_600_000 })),
  disorderMs: fc.integer({ min: -DISORDER_MS, max: DISORDER_MS }),
});
const plan = fc.array(plannedRound, { maxLength: 30 });
const wish = fc.record(
  {
    player: fc.nat(3),
    game: fc.nat(2),
    state: fc.constantFrom(...STATES),
    from: fc.integer({ min: -10, max: 110 }),
    to: fc.integer({ min: -10, max: 110 }),
  },
  { requiredKeys: [] },
);
type Wish = { player?: number; game?: number; state?: (typeof STATES)[number]; from?: number; to?: number };

/** Hundredths of the time that the rounds take up. */
function instant(rounds: readonly PlannedRound[], hundredths: number | undefined): Date | undefined {
  if (hundredths === undefined) return undefined;
  const length = scene.timesOf(rounds).reduce((most, { ms }) => Math.max(most, ms), 0);
  return new Date(scene.startMs + Math.round((length * hundredths) / 100));
}

function expected(rounds: readonly PlannedRound[], wanted: Wish): number[] {
  const from = instant(rounds, wanted.from)?.getTime() ?? Number.NEGATIVE_INFINITY;
  const to = instant(rounds, wanted.to)?.getTime() ?? Number.POSITIVE_INFINITY;
  return (
    scene
      .timesOf(rounds)
      .filter(({ ms }) => scene.startMs + ms >= from && scene.startMs + ms < to)
      .filter(({ round }) => round.player < 2)
      // A player of the other operator has the same name as one of this.
      .filter(
        ({ round }) =>
          wanted.player === undefined || scene.playerName(round.player) === scene.playerName(wanted.player),
      )
      .filter(({ round }) => wanted.game === undefined || round.game === wanted.game)
      .filter(({ round }) => wanted.state === undefined || round.state === wanted.state)
      .map(({ id }) => id)
      .reverse()
  );
}

describe('all pages together are the list, once, newest first', () => {
  test('for any rounds, any filter, any size of a page, and any stretch that a page may look at', async () => {
    const property = fc.asyncProperty(
      plan,
      wish,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 40 }),
      async (planned, wanted, limit, span) => {
        const rounds = scene.playable(planned);
        await scene.replace(rounds);
        const found: number[] = [];
        let before: bigint | undefined;
        do {
          const page = await listRounds(server.db, {
            operatorID: scene.operatorID,
            externalID: wanted.player === undefined ? undefined : scene.playerName(wanted.player),
            gameID: wanted.game === undefined ? undefined : scene.gameName(wanted.game),
            from: instant(rounds, wanted.from),
            to: instant(rounds, wanted.to),
            state: wanted.state,
            limit,
            before,
            span,
          });
          expect(page.rounds.length).toBeLessThanOrEqual(limit);
          if (page.next !== undefined && before !== undefined) expect(page.next).toBeLessThan(before);
          found.push(...page.rounds.map(({ roundID }) => Number(roundID)));
          before = page.next;
        } while (before !== undefined);
        expect(found).toEqual(expected(rounds, wanted));
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  test('also at the edge of a time where two plays at once got their ids the other way round', async () => {
    const secondsAfterStart = [100, 40, 119];
    const rounds = secondsAfterStart.map(
      (seconds): PlannedRound => ({
        player: 0,
        game: 0,
        state: 'settled',
        idGap: 1,
        laterMs: 0,
        disorderMs: seconds * 1000,
      }),
    );
    await scene.replace(rounds);
    const client = operatorClient(server.url, caller);
    const edge = new Date(scene.startMs + 70_000).toISOString();
    const idsOf = async (query: Record<string, string>) =>
      (await client.rounds(query)).body.rounds.map(({ betID }: { betID: number }) => betID);
    expect(await idsOf({ to: edge })).toEqual([2]);
    expect(await idsOf({ from: edge })).toEqual([3, 1]);
  });

  test('over the wire, with its cursor', async () => {
    const property = fc.asyncProperty(plan, wish, fc.integer({ min: 1, max: 12 }), async (planned, wanted, limit) => {
      const rounds = scene.playable(planned);
      await scene.replace(rounds);
      const client = operatorClient(server.url, caller);
      const query = {
        limit,
        ...(wanted.player !== undefined && { playerID: scene.playerName(wanted.player) }),
        ...(wanted.game !== undefined && { gameID: scene.gameName(wanted.game) }),
        ...(wanted.from !== undefined && { from: instant(rounds, wanted.from)?.toISOString() ?? '' }),
        ...(wanted.to !== undefined && { to: instant(rounds, wanted.to)?.toISOString() ?? '' }),
        ...(wanted.state !== undefined && { state: wanted.state }),
      };
      const found: { betID: number; state: string }[] = [];
      let cursor: string | null = null;
      do {
        const { status, body } = await client.rounds({ ...query, ...(cursor !== null && { cursor }) });
        expect(status).toBe(200);
        found.push(...body.rounds);
        cursor = body.cursor;
      } while (cursor !== null);
      expect(found.map(({ betID }) => betID)).toEqual(expected(rounds, wanted));
      if (wanted.state !== undefined) expect(found.every(({ state }) => state === wanted.state)).toBe(true);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe('the query', () => {
  test('without a limit 50 rounds come; a round that is played meanwhile does not move the pages', async () => {
    const many = Array.from(
      { length: 120 },
      (_, index): PlannedRound => ({
        player: index % 2,
        game: 0,
        state: 'settled',
        idGap: 1,
        laterMs: 1000,
        disorderMs: 0,
      }),
    );
    await scene.replace(many);
    const client = operatorClient(server.url, caller);
    const first = await client.rounds();
    expect(first.body.rounds).toHaveLength(50);
    await scene.append(many, { ...(many[0] as PlannedRound), laterMs: 5000 });
    const second = await client.rounds({ cursor: first.body.cursor, limit: 200 });
    expect(second.body.cursor).toBeNull();
    const ids = [...first.body.rounds, ...second.body.rounds].map((round: { betID: number }) => round.betID);
    expect(ids).toEqual(expected(many, {}));
  });

  test.each<[string, Record<string, string>]>([
    ['a limit of 0', { limit: '0' }],
    ['a limit of 201', { limit: '201' }],
    ['a limit that is not whole', { limit: '1.5' }],
    ['a limit that is no number', { limit: 'all' }],
    ['an empty limit', { limit: '' }],
    ['a state that is none', { state: 'lost' }],
    ['a time without its zone', { from: '2026-11-21T12:00:00' }],
    ['a time that is none', { to: '2026-13-41T12:00:00Z' }],
    ['an empty playerID', { playerID: '' }],
    ['a playerID that no text column can hold', { playerID: 'a\u0000b' }],
    ['a gameID that no text column can hold', { gameID: 'a\u0000b' }],
    ['an empty cursor', { cursor: '' }],
    ['a cursor of another kind', { cursor: 'bm9uZQ' }],
    ['a number as a cursor', { cursor: '12' }],
    ['a cursor with something behind it', { cursor: `${Buffer.from('12').toString('base64url')}=` }],
    ['a cursor beyond all ids', { cursor: Buffer.from('9999999999999999').toString('base64url') }],
    ['a cursor of 0', { cursor: Buffer.from('0').toString('base64url') }],
  ])('%s is ERR_VAL', async (_, query) => {
    const answer = await operatorClient(server.url, caller).rounds(query);
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
  });

  test.each<[string, Record<string, string>]>([
    ['a player that nobody knows', { playerID: 'nobody' }],
    ['a game that nobody knows', { gameID: 'unknown' }],
    ['the year 0', { to: '0000-01-01T00:00:00Z' }],
    ['the year 9999', { from: '9999-12-31T23:59:59-23:00' }],
    ['a time that ends before it begins', { from: '2026-11-22T00:00:00Z', to: '2026-11-21T00:00:00+02:00' }],
  ])('%s has no rounds', async (_, query) => {
    const answer = await operatorClient(server.url, caller).rounds(query);
    expect([answer.status, answer.body]).toEqual([200, { rounds: [], cursor: null }]);
  });
});
