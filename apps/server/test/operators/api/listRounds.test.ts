import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRounds } from '../../../src/store/operators/operatorRounds.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { addHouseOperator, INVALID, operatorClient, refusalOf } from './operatorClient.ts';

const STATES = ['open', 'settled', 'void'] as const;
/** Two players belong to the operator, the other two to another operator. */
const PLAYERS = ['anna', 'maria', 'anna', 'lena'];
/** The first two have rounds. */
const GAMES = ['first', 'second', 'third'];
const START_MS = Date.UTC(2026, 10, 21, 12);
/** Ids and times disagree by less than the list allows for. */
const DISORDER_MS = 120_000;

/** Describes a round to be stored after the one before it. */
type PlannedRound = {
  player: number;
  game: number;
  state: (typeof STATES)[number];
  idGap: number;
  laterMs: number;
  disorderMs: number;
};
type StoredRound = PlannedRound & { id: number; openedAt: Date };
/** `from` and `to` are in hundredths of the time of all rounds. */
type Filter = { player?: number; game?: number; state?: PlannedRound['state']; from?: number; to?: number };

let server: TestServer;
let operatorID: number;
let client: ReturnType<typeof operatorClient>;
let accounts: { playerId: bigint; accountId: bigint }[];
let games: { gameId: number; gameVersionId: number }[];

beforeAll(async () => {
  server = await startTestServer({ local: false });
  const caller = await addHouseOperator(server.db);
  client = operatorClient(server.url, caller);
  operatorID = (await server.db.operator.findUniqueOrThrow({ where: { code: caller.code } })).id;
  const other = await server.db.operator.create({ data: { code: 'another', name: 'another' } });
  accounts = await Promise.all(PLAYERS.map((name, index) => addPlayer(index < 2 ? operatorID : other.id, name)));
  games = await Promise.all(GAMES.slice(0, 2).map(addGame));
});
afterAll(() => server.close());

async function addPlayer(operatorId: number, externalId: string) {
  const { id: playerId } = await server.db.player.create({ data: { operatorId, externalId } });
  const data = { operatorId, playerId, kind: 'player' as const, currency: 'USD', balanceMicros: 0 };
  return { playerId, accountId: (await server.db.account.create({ data })).id };
}

async function addGame(code: string) {
  const { id: gameId } = await server.db.game.create({ data: { code } });
  const version = { gameId, version: '1', title: code, mathSha256: code, currencies: ['USD'], jurisdiction: {} };
  return { gameId, gameVersionId: (await server.db.gameVersion.create({ data: version })).id };
}

/** Adds ids and times. A player has one open round of a game at most. */
function toStored(planned: readonly PlannedRound[]): StoredRound[] {
  let [id, ms] = [0, START_MS];
  const open = new Set<string>();
  return planned.map((round) => {
    id += round.idGap;
    ms += round.laterMs;
    const place = `${round.player} ${round.game}`;
    const state = round.state === 'open' && open.has(place) ? 'settled' : round.state;
    if (state === 'open') open.add(place);
    return { ...round, state, id, openedAt: new Date(ms + round.disorderMs) };
  });
}

async function store(rounds: readonly StoredRound[]): Promise<void> {
  const bet = { mode: 'BASE', costMultiplier: 1, amountMicros: 1_000_000, debitMicros: 1_000_000, sessionId: 1 };
  const outcome = { bookId: 1, payoutMultiplier: 0, payoutMicros: 0 };
  await server.db.round.createMany({
    data: rounds.map(({ id, player, game, state, openedAt }) => ({
      ...(accounts[player] as (typeof accounts)[number]),
      ...(games[game] as (typeof games)[number]),
      ...{ ...bet, ...outcome, id, openedAt },
      endedAt: state === 'open' ? null : openedAt,
      walletState: state === 'void' ? ('void' as const) : null,
    })),
  });
}

/** Replaces all rounds by those of the plan. */
async function replace(planned: readonly PlannedRound[]): Promise<StoredRound[]> {
  const rounds = toStored(planned);
  await server.db.round.deleteMany();
  await store(rounds);
  return rounds;
}

const at = (rounds: readonly StoredRound[], hundredths: number | undefined): Date | undefined => {
  if (hundredths === undefined) return undefined;
  const lengthMs = Math.max(0, ...rounds.map(({ openedAt }) => openedAt.getTime() - START_MS));
  return new Date(START_MS + Math.round((lengthMs * hundredths) / 100));
};

/** Returns the ids that the list must show. */
function expected(rounds: readonly StoredRound[], filter: Filter): number[] {
  const [from, to] = [at(rounds, filter.from), at(rounds, filter.to)];
  return rounds
    .filter(({ openedAt }) => (!from || openedAt >= from) && (!to || openedAt < to))
    .filter(({ player }) => player < 2)
    .filter(({ player }) => filter.player === undefined || PLAYERS[player] === PLAYERS[filter.player])
    .filter(({ game }) => filter.game === undefined || game === filter.game)
    .filter(({ state }) => filter.state === undefined || state === filter.state)
    .map(({ id }) => id)
    .reverse();
}

const plan = fc.array(
  fc.record({
    player: fc.nat(3),
    game: fc.nat(1),
    state: fc.constantFrom(...STATES),
    idGap: fc.integer({ min: 1, max: 5 }),
    // It is often less than the disorder, so that ids and times do disagree.
    laterMs: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 3_600_000 })),
    disorderMs: fc.integer({ min: -DISORDER_MS, max: DISORDER_MS }),
  }),
  { maxLength: 30 },
);
const hundredths = fc.integer({ min: -10, max: 110 });
const anyFilter: fc.Arbitrary<Filter> = fc.record(
  { player: fc.nat(3), game: fc.nat(2), state: fc.constantFrom(...STATES), from: hundredths, to: hundredths },
  { requiredKeys: [] },
);
const pageSize = fc.integer({ min: 1, max: 12 });
const settled = { player: 0, game: 0, state: 'settled', idGap: 1, laterMs: 0, disorderMs: 0 } as const;
const betIDs = (body: { rounds: { betID: number }[] }) => body.rounds.map(({ betID }) => betID);

/** Reads all pages of a list, the first of which has no cursor. */
async function allPages<Cursor>(page: (cursor?: Cursor) => Promise<{ betIDs: number[]; cursor: Cursor | null }>) {
  const found: number[] = [];
  let { betIDs, cursor } = await page();
  found.push(...betIDs);
  while (cursor !== null) {
    ({ betIDs, cursor } = await page(cursor));
    found.push(...betIDs);
  }
  return found;
}

describe('all pages together are the list, once, newest first', () => {
  it('for any rounds, any filter, any size of a page, and any number of rounds that a page looks at', async () => {
    const span = fc.integer({ min: 1, max: 40 });
    const property = fc.asyncProperty(plan, anyFilter, pageSize, span, async (planned, filter, limit, span) => {
      const rounds = await replace(planned);
      const { state } = filter;
      const [from, to] = [at(rounds, filter.from), at(rounds, filter.to)];
      const playerID = filter.player === undefined ? undefined : PLAYERS[filter.player];
      const gameID = filter.game === undefined ? undefined : GAMES[filter.game];

      const stored = await allPages(async (before?: bigint) => {
        const query = { operatorID, externalID: playerID, gameID, from, to, state, limit, before, span };
        const page = await listRounds(server.db, query);
        expect(page.rounds.length).toBeLessThanOrEqual(limit);
        if (page.next !== undefined && before !== undefined) expect(page.next).toBeLessThan(before);
        return { betIDs: page.rounds.map(({ roundID }) => Number(roundID)), cursor: page.next ?? null };
      });
      expect(stored).toEqual(expected(rounds, filter));

      const named = { playerID, gameID, from: from?.toISOString(), to: to?.toISOString(), state };
      const query = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
      const listed = await allPages(async (cursor?: string) => {
        const { status, body } = await client.rounds({ ...query, limit, ...(cursor !== undefined && { cursor }) });
        expect(status).toBe(200);
        for (const round of body.rounds) expect(round.state).toBe(state ?? round.state);
        return { betIDs: betIDs(body), cursor: body.cursor };
      });
      expect(listed).toEqual(stored);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('at the edge of a time where two plays at once got their ids in the other order', async () => {
    await replace([100, 40, 119].map((seconds) => ({ ...settled, disorderMs: seconds * 1000 })));
    const edge = new Date(START_MS + 70_000).toISOString();
    expect(betIDs((await client.rounds({ to: edge })).body)).toEqual([2]);
    expect(betIDs((await client.rounds({ from: edge })).body)).toEqual([3, 1]);
  });

  it('50 on a page without a limit, and the same pages when a round is played meanwhile', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ ...settled, player: index % 2, laterMs: 1000 }));
    const rounds = await replace(many);
    const first = await client.rounds();
    expect(first.body.rounds).toHaveLength(50);
    await store(toStored([...many, { ...settled, laterMs: 5000 }]).slice(-1));
    const second = await client.rounds({ cursor: first.body.cursor, limit: 200 });
    expect(second.body.cursor).toBeNull();
    expect([...betIDs(first.body), ...betIDs(second.body)]).toEqual(expected(rounds, {}));
  });
});

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text));
const base64 = (text: string) => Buffer.from(text).toString('base64url');

it.each([
  ...['limit=0', 'limit=201', 'limit=1.5', 'limit=all', 'limit=', 'state=lost', 'playerID=', 'playerID=a%00b'],
  ...['gameID=a%00b', 'from=2026-11-21T12:00:00', 'to=2026-13-41T12:00:00Z', 'player=anna'],
  ...['', 'bm9uZQ', '12', `${base64('12')}=`, base64('9999999999999999'), base64('0')].map((each) => `cursor=${each}`),
])('the query %s is ERR_VAL', async (query) => {
  expect(refusalOf(await client.rounds(queryOf(query)))).toEqual(INVALID);
});

it.each([
  ...['playerID=nobody', 'gameID=unknown', 'to=0000-01-01T00:00:00Z', 'from=9999-12-31T23:59:59-23:00'],
  'from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00%2B02:00',
])('the query %s has no rounds', async (query) => {
  const response = await client.rounds(queryOf(query));
  expect([response.status, response.body]).toEqual([200, { rounds: [], cursor: null }]);
});
