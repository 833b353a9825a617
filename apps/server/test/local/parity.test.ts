import { describe, expect, it } from 'vitest';
import { parityDocument } from '../../scripts/parityDocument.ts';
import { DIFFERENCES } from '../../src/local/parity/differences.ts';
import { BOOK, MODE_NAMES } from '../support/fixtureGame.ts';
import { BET, OPENING, type TestServer, UNIT, useTestServer } from '../support/testServer.ts';

const generous = useTestServer({ parity: 'mark' });
const strict = useTestServer({ parity: 'strict' });

it('docs/parity.md is what the code defines (renew it with --update at the end)', async () => {
  await expect(parityDocument(DIFFERENCES)).toMatchFileSnapshot('../../../../docs/parity.md');
});

/** Sends a request without a look at the contract, which strict mode leaves. */
async function send(server: TestServer, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const mark = response.headers.get('X-Roundhouse-Parity');
  return { status: response.status, body: (await response.json()) as any, mark };
}

async function startSession(server: TestServer): Promise<string> {
  const sessionID = await server.newSession();
  expect((await send(server, '/wallet/authenticate', { sessionID })).status).toBe(200);
  return sessionID;
}

const marksOf = async (server: TestServer, sessionID: string) =>
  (await server.post('/game/parity', { sessionID })).body;

type Case = {
  /** Leads to the request. */
  before?: (server: TestServer, sessionID: string) => Promise<unknown>;
  request: [path: string, more?: object, headers?: Record<string, string>];
  /** What a success shows; of a refusal it is code and message. */
  show?: (body: any) => unknown;
  ours: unknown;
  /** Without it, the response is the same. */
  theirs?: unknown;
};

const AUTHENTICATE: Case['request'] = ['/wallet/authenticate'];
const END_ROUND: Case['request'] = ['/wallet/end-round'];
const amountOf = ({ balance }: any) => balance.amount;
const won: Case['before'] = (server, sessionID) => server.playBook(sessionID, BOOK.pays150, {}, 'one');
const lost: Case['before'] = (server, sessionID) => server.playBook(sessionID, BOOK.pays0);
const ended: Case['before'] = async (server, sessionID) => {
  await won(server, sessionID);
  await server.endRound(sessionID);
};
const ownLost: Case['before'] = (server, sessionID) => server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
const NOTHING_TO_END = 'ERR_VAL: player does not have active bet';
const NO_PATH = 'ERR_VAL: there is nothing at this path';

/** Each difference has its cases. */
const CASES: Readonly<Record<string, Case[]>> = {
  'end-round-closed': [
    { before: ended, request: END_ROUND, show: amountOf, ours: OPENING + 0.5 * UNIT, theirs: NOTHING_TO_END },
    { before: ownLost, request: END_ROUND, show: amountOf, ours: OPENING - UNIT, theirs: NOTHING_TO_END },
  ],
  'end-round-lost': [
    { before: lost, request: END_ROUND, show: amountOf, ours: OPENING - UNIT, theirs: NOTHING_TO_END },
  ],
  'play-active': [
    {
      before: won,
      request: ['/wallet/play', BET, { 'Idempotency-Key': 'one' }],
      show: ({ round }) => round.active,
      ours: true,
      theirs: 'ERR_VAL: player has active bet',
    },
    {
      before: won,
      request: ['/wallet/play', BET],
      ours: 'ERR_VAL: a round is active',
      theirs: 'ERR_VAL: player has active bet',
    },
  ],
  'event-without-round': [{ request: ['/bet/event', { event: 'picked:1' }], ours: 'ERR_VAL: no round is active' }],
  amount: [4099999.9999999995, 4_100_000].map((amount) => ({
    request: ['/wallet/play', { ...BET, amount }],
    show: ({ round }) => round.amount,
    ours: 4_100_000,
  })),
  'mode-spelling': [
    { request: ['/wallet/play', { ...BET, mode: 'bAsE' }], show: ({ round }) => round.mode, ours: 'base' },
  ],
  'round-null': [
    { request: AUTHENTICATE, show: ({ round }) => round, ours: {}, theirs: null },
    { before: ownLost, request: AUTHENTICATE, show: ({ round }) => round?.payout, ours: 0, theirs: undefined },
    { before: won, request: AUTHENTICATE, show: ({ round }) => [round.active, round.state.length], ours: [true, 2] },
    { before: ended, request: AUTHENTICATE, show: ({ round }) => round.active, ours: false },
  ],
  'bet-modes': [
    {
      request: AUTHENTICATE,
      show: ({ config }) => [config.minBet, Object.keys(config.betModes)],
      ours: [200_000, Object.values(MODE_NAMES)],
      theirs: [200_000, []],
    },
  ],
  'more-requests': [
    { request: ['/bet/history'], show: ({ rounds }) => rounds, ours: [], theirs: NO_PATH },
    { request: ['/bet/grants'], show: ({ grants }) => grants, ours: [], theirs: NO_PATH },
  ],
};

it('has cases for each difference', () => {
  expect(Object.keys(CASES)).toEqual(DIFFERENCES.map(({ id }) => id));
});

describe.each(DIFFERENCES)('$id', ({ id, refusal, answer, certainty }) => {
  it('changes our response only where public material shows theirs', () => {
    expect(certainty === 'not known').toBe(refusal === undefined && answer === undefined);
  });

  it.each(CASES[id] ?? [])('$request', async (each) => {
    const { before, request, show = () => undefined } = each;
    const [path, more = {}, headers = {}] = request;
    for (const server of [generous, strict]) {
      const isStrict = server === strict;
      const sessionID = await startSession(server);
      await before?.(server, sessionID);
      const { body, mark } = await send(server, path, { sessionID, ...more }, headers);
      const shown = body.error === undefined ? show(body) : `${body.error}: ${body.message}`;
      expect(shown).toEqual(isStrict && 'theirs' in each ? each.theirs : each.ours);
      const isMarked = refusal !== undefined && (isStrict || body.error === undefined);
      // There play has completed the round.
      const marked = isMarked ? (isStrict && id === 'end-round-lost' ? 'end-round-closed' : id) : undefined;
      expect(mark).toBe(marked ?? null);
      const marks = marked === undefined ? [] : [expect.objectContaining({ id: marked, times: 1 })];
      expect(await marksOf(server, sessionID)).toEqual({ isStrict, marks });
    }
  });
});

it('of two end-rounds at once, strict mode refuses one', async () => {
  const sessionID = await startSession(strict);
  await strict.playBook(sessionID, BOOK.pays150);
  const both = [strict.endRound(sessionID), strict.endRound(sessionID)];
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 400]);
});

it('a lost round that the math leaves active is ended as at Engine', async () => {
  Object.assign(generous.catalogue.games[0]?.modes.get('ANTE') ?? {}, { mathAutoClose: false });
  const sessionID = await startSession(generous);
  await generous.playBook(sessionID, BOOK.pays0, { mode: 'ANTE' });
  expect((await generous.endRound(sessionID)).status).toBe(200);
  expect((await marksOf(generous, sessionID)).marks).toEqual([]);
});
