import { beforeAll, describe, expect, it } from 'vitest';
import { BOOK, fixtureEvents, MODE_NAMES } from '../../support/fixtureGame.ts';
import { useGoodCalls } from '../../support/goodCalls.ts';
import { ageRounds } from '../../support/moveTime.ts';
import { balanceOf, expectPlayRefused, expectRefused, snapshot } from '../../support/snapshot.ts';
import { type GameNode, OPENING, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

const PATH = '/wallet/play';

/** Another JSON writer would change these: numbers, escapes, spaces, repeated keys. */
const EVENTS = [
  '[{"index":0,"amount":1.0,"tiny":1e-7,"big":9007199254740993,"exp":1E2,"minus":-0}]',
  '[ {"type" : "reveal",  "name":"\\u00e4\\/\\ud83c\\udfb0"} , {"b":1,"a":2,"b":3,"10":1,"9":2,"__proto__":{}} ]',
  '[{"type":"win","board":[["Ä","漢","🎰"],[],[null,true,false]],"text":"\\"state\\":[]}"}]',
];

/** Serves a game whose books hold these events. */
let node: GameNode;
beforeAll(async () => {
  const books = EVENTS.map((events, index) => ({ id: index + 1, payoutMultiplier: index * 100, events }));
  const gameFile = gameFileOf({ id: 'bytes', modes: { BASE: { autoClose: false } } });
  node = await serveGames(server, [await writeStudioFolder({ name: 'bytes', books, gameFile })]);
});

describe('the amount of a play', () => {
  it.each([
    { amount: '1e-400', about: 'amount: ' },
    { amount: '1000000.4', about: 'amount: must be a whole number of micros, not 1000000.4' },
    { amount: `1000000.${'0'.repeat(64)}`, about: 'too long' },
    { amount: '"1000000"', about: 'amount: ' },
  ])('$amount is refused: $about', async ({ amount, about }) => {
    const body = JSON.stringify(calls.play.body).replace('"amount":1000000', `"amount":${amount}`);
    await expectRefused(server, { path: PATH, body }, 'ERR_VAL', about);
  });

  it.each(['4099999.9999999995', '4100000.000001', '4100000.00000000001'])(
    '%s means 4100000 micros, and the round has that bet',
    async (amount) => {
      const sessionID = await server.liveSession();
      const body = `{"sessionID":"${sessionID}","mode":"BASE","amount":${amount}}`;
      const { status, body: played } = await server.post(PATH, body, { 'Idempotency-Key': 'k' });
      expect([status, played.round?.amount, played.balance?.amount]).toEqual([200, 4_100_000, OPENING - 4_100_000]);
      // The key is that of the bet, however a client computes it.
      expect((await server.play(sessionID, { amount: 4_100_000 }, 'k')).body.round.betID).toBe(played.round.betID);
      const { rounds } = await snapshot(server, sessionID);
      expect(rounds).toMatchObject([{ amount_micros: 4_100_000, debit_micros: 4_100_000 }]);
    },
  );

  it.each<[string, number, string]>([
    ['USD', 199_999, 'below the minimum of 200000'],
    ['USD', 100 * UNIT + 100_000, 'above the maximum of 100000000'],
    ['JPY', 15 * UNIT, 'not divisible by 10000000'],
  ])('in %s of %d is %s', async (currency, amount, about) => {
    const sessionID = await server.liveSession({ currency });
    await expectPlayRefused(server, sessionID, { amount }, 'ERR_VAL', `the bet is ${about}`);
  });

  it('is limited; the debit of the mode is not', async () => {
    const sessionID = await server.liveSession({ balance: 10_000 * UNIT });
    expect((await server.play(sessionID, { amount: 100 * UNIT, mode: 'BONUS' })).body.balance.amount).toBe(0);
  });
});

// The last one has a letter whose upper case is that of another mode.
it.each(['M'.repeat(64), ' BASE', '\ud800', '__proto__', 'constructor', 'ba\u017fe'])(
  'the mode %j is unknown, and the refusal lists those of the game',
  async (mode) => {
    const about = 'the game has no such mode; it has base, Ante, BONUS, AUTO';
    await expectPlayRefused(server, calls.play.body.sessionID, { mode }, 'ERR_VAL', about);
  },
);

describe('a play', () => {
  it.each([
    { mode: 'BASE', amount: UNIT, debit: 1_000_000 },
    { mode: 'ANTE', amount: 200_000, debit: 250_000 },
    { mode: 'ANTE', amount: 99_900_000, debit: 124_875_000 },
    { mode: 'BONUS', amount: 2 * UNIT, debit: 200_000_000 },
  ])('of $amount in $mode debits $debit exactly, and a micro less does not cover it', async (bet) => {
    const { debit, ...more } = bet;
    const token = JSON.stringify(bet);
    const sessionID = await server.liveSession({ token, balance: debit - 1 });
    await expectPlayRefused(server, sessionID, more, 'ERR_IPB', 'balance');
    await server.newSession({ token, setBalance: debit });
    expect((await server.play(sessionID, more)).body.balance).toEqual({ amount: 0, currency: 'USD' });
    expect(await balanceOf(server, sessionID)).toBe(0);
    const { rounds } = await snapshot(server, sessionID);
    expect(rounds).toMatchObject([{ amount_micros: bet.amount, debit_micros: debit, ended_at: null }]);
  });

  it('keeps a forced outcome when it is refused or repeats a round', async () => {
    const token = 'forced';
    const sessionID = await server.liveSession({ token });
    await server.play(sessionID, {}, 'a key');
    await server.endRound(sessionID);
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays100000 });
    expect((await server.play(sessionID, {}, 'a key')).body.round.active).toBe(false);
    await server.newSession({ token, setBalance: 0 });
    await expectPlayRefused(server, sessionID, {}, 'ERR_IPB');
    await server.newSession({ token, setBalance: OPENING });
    expect((await server.play(sessionID)).body.round.payoutMultiplier).toBe(1000);
  });
});

describe('the round of a play', () => {
  it.each([
    { book: BOOK.pays150, mode: 'BASE', cost: 1, amount: 700_000, payout: 1_050_000, payoutMultiplier: 1.5 },
    { book: BOOK.pays20, mode: 'ANTE', cost: 1.25, amount: 300_000, payout: 60_000, payoutMultiplier: 0.2 },
    { book: BOOK.pays100000, mode: 'BONUS', cost: 100, amount: 200_000, payout: 200 * UNIT, payoutMultiplier: 1000 },
    { book: BOOK.pays100000, mode: 'BASE', cost: 1, amount: 99_900_000, payout: 99_900 * UNIT, payoutMultiplier: 1000 },
    { book: BOOK.pays0, mode: 'BASE', cost: 1, amount: UNIT, payout: 0, payoutMultiplier: 0 },
  ] as const)('of book $book in $mode on $amount: every field, and end-round pays $payout', async (bet) => {
    const { book, mode, cost, amount, ...paid } = bet;
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, book, { amount, mode: mode.toLowerCase() });
    const published = MODE_NAMES[mode];
    expect(body.round).toEqual({
      ...{ betID: expect.any(Number), amount, ...paid, costMultiplier: cost, active: true, mode: published },
      ...{ event: null, state: fixtureEvents(published, paid.payoutMultiplier * 100) },
    });
    expect(Number.isSafeInteger(body.round.betID)).toBe(true);
    await server.endRound(sessionID);
    expect(await balanceOf(server, sessionID)).toBe(OPENING - amount * cost + paid.payout);
  });

  /** Returns the text of the `state` of a response, which is always the last field. */
  const stateText = (text: string) => /"state":(.*?)\}+(?:,"meta":null\})?$/s.exec(text)?.[1];

  it.each(EVENTS.map((events, index) => ({ bookID: index + 1, events })))(
    'has as state byte for byte the published text: $events',
    async ({ bookID, events }) => {
      const sessionID = await node.liveSession({ gameID: 'bytes' });
      expect(stateText((await node.playBook(sessionID, bookID)).text)).toBe(events);
      const resumed = await node.authenticate(sessionID);
      expect(stateText(resumed.text.replace(/,"meta":null\}$/, '}'))).toBe(events);
      expect(stateText((await node.send(`/bet/replay/bytes/1.0.0/BASE/${bookID}`)).text)).toBe(events);
    },
  );
});

describe('in a mode with autoClose', () => {
  it('a round that pays stays active', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.playBook(sessionID, BOOK.pays150, { mode: 'AUTO' });
    expect(body.round).toMatchObject({ active: true, payout: 1.5 * UNIT });
    expect(await server.roundOf(sessionID)).toEqual(body.round);
  });

  it('a round that pays nothing is completed by play, and returned again for its Idempotency-Key', async () => {
    const sessionID = await server.liveSession();
    await server.post('/game/force', { sessionID, mode: 'AUTO', bookID: BOOK.pays0 });
    const first = await server.play(sessionID, { mode: 'AUTO' }, 'a key');
    expect(first.body.round).toMatchObject({ active: false, payout: 0, mode: 'AUTO' });
    expect(first.body.balance.amount).toBe(OPENING - UNIT);
    expect(await server.roundOf(sessionID)).toEqual(first.body.round);
    const late = { path: '/bet/event', body: { sessionID, event: 'late' } };
    await expectRefused(server, late, 'ERR_VAL', 'no round is active');

    const { counts } = await snapshot(server, sessionID);
    expect((await server.endRound(sessionID)).body).toEqual({ balance: first.body.balance });
    expect((await server.play(sessionID, { mode: 'AUTO' }, 'a key')).text).toBe(first.text);
    expect((await snapshot(server, sessionID)).counts).toEqual(counts);
    const next = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(next.body.balance.amount).toBe(OPENING - 2 * UNIT);
  });
});

describe('disabledBuyFeature', () => {
  it('refuses a feature mode, and no other mode', async () => {
    const sessionID = await server.liveSession({ jurisdiction: { disabledBuyFeature: true } });
    const about = 'mode BONUS is a bought feature, which the jurisdiction does not allow';
    for (const mode of ['BONUS', 'bonus']) await expectPlayRefused(server, sessionID, { mode }, 'ERR_VAL', about);
    for (const mode of ['BASE', 'ANTE', 'AUTO']) {
      expect((await server.play(sessionID, { mode })).status).toBe(200);
      await server.endRound(sessionID);
    }
  });
});

describe('minimumRoundDuration', () => {
  const HALF_HOUR_MS = 1_800_000;

  /** Makes a player whose rounds must last half an hour, so that no test clock matters. */
  const slowPlayer = (more: object = {}) =>
    server.liveSession({ jurisdiction: { minimumRoundDuration: HALF_HOUR_MS }, ...more });

  it('refuses a play before the time has passed, and accepts it after', async () => {
    const sessionID = await slowPlayer();
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    await expectPlayRefused(server, sessionID, {}, 'ERR_VAL');
    await ageRounds(server, sessionID, HALF_HOUR_MS - 60_000);
    await expectPlayRefused(server, sessionID, {}, 'ERR_VAL');
    await ageRounds(server, sessionID, 60_000);
    expect((await server.play(sessionID)).status).toBe(200);
  });

  it('counts from the last play, also of another session, and of a round that completed itself', async () => {
    const sessionID = await slowPlayer({ token: 'slow' });
    const { body } = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(body.round.active).toBe(false);
    await expectPlayRefused(server, await slowPlayer({ token: 'slow' }), {}, 'ERR_VAL');
  });

  it('does not delay the first play, the end of a round, or a play that is repeated with its key', async () => {
    const sessionID = await slowPlayer();
    const first = await server.play(sessionID, {}, 'a key');
    expect(first.status).toBe(200);
    expect((await server.endRound(sessionID)).status).toBe(200);
    const again = await server.play(sessionID, {}, 'a key');
    expect([again.status, again.body.round.betID]).toEqual([200, first.body.round.betID]);
  });
});
