import { parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { ageRounds, leaveFor, MINUTE_MS } from '../../support/moveTime.ts';
import { expectNothingChanged } from '../../support/snapshot.ts';
import { type TestResponse, UNIT, useTestServer } from '../../support/testServer.ts';
import { INVALID, kindsOf, refusalOf, useOpenRounds } from './operatorClient.ts';

const server = useTestServer();
const { client, house, houseRound, seamlessRound, roundRow } = useOpenRounds(server);

const NO_RESPONSE = { lastResponse: null, lastResponseAt: null, nextAttemptAt: null, reference: null };

describe('a round of the house wallet', () => {
  it('whole: the bet, the payout, the events, in their order', async () => {
    const { sessionID, betID } = await houseRound(BOOK.pays150, { mode: 'ANTE' });
    for (const event of ['first', 'sécond 漢']) await server.post('/bet/event', { sessionID, event });
    const open = await client().round(betID);
    expect(open.body).toMatchObject({ state: 'open', closedAt: null });
    expect(kindsOf(open.body.movements)).toEqual([`debit ${1.25 * UNIT} accepted`]);
    await server.post('/wallet/end-round', { sessionID });
    const { body } = await client().round(betID);
    const { openedAt, endedAt, sessionId, bookId } = await roundRow(betID);
    const transfers = await server.db.transfer.findMany({ where: { roundId: betID }, orderBy: { id: 'asc' } });
    expect(body).toEqual({
      ...{ betID, playerID: 'anna', gameID: 'fixture', gameVersion: '1.0.0', mode: 'ANTE', currency: 'USD' },
      ...{ amount: UNIT, debit: 1.25 * UNIT, payout: 1.5 * UNIT, payoutMultiplier: 1.5, bookID: Number(bookId) },
      ...{ state: 'settled', autoCompletedAt: null, interrupted: false, cursor: null, replayURL: null },
      ...{ openedAt: openedAt.toISOString(), closedAt: endedAt?.toISOString() },
      ...{ sessionNumber: Number(sessionId), country: null },
      movements: transfers.map(({ id, amountMicros, createdAt: at }, index) => ({
        ...{ transactionID: `transfer-${id}`, kind: index === 0 ? 'debit' : 'credit', amount: Number(amountMicros) },
        ...{ state: 'accepted', attempts: 0, createdAt: at.toISOString(), settledAt: at.toISOString() },
        ...NO_RESPONSE,
      })),
      events: ['first', 'sécond 漢'].map((event) => ({ event, at: expect.any(String) })),
    });
  });

  it('as long as a round may be: its events come in pages of 200 at most', async () => {
    const { betID } = await houseRound(BOOK.pays150, { token: 'keen' });
    const text = '\u0001'.repeat(1024);
    await server.db.$executeRaw`
      INSERT INTO round_events (round_id, seq, event) SELECT ${betID}, seq, seq || ${text} FROM generate_series(1, 1000) seq`;
    const seen: number[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 6; pages += 1) {
      const { body, text: bytes }: TestResponse = await client().round(betID, cursor === null ? {} : { cursor });
      expect(body.events.length).toBeLessThanOrEqual(200);
      expect(bytes.length).toBeLessThan(2_000_000);
      seen.push(...body.events.map(({ event }: { event: string }) => Number.parseInt(event, 10)));
      cursor = body.cursor;
      if (cursor === null) break;
    }
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    expect((await client().round(betID, { limit: '3' })).body.events).toHaveLength(3);
    for (const query of [{ limit: '201' }, { limit: '0' }, { cursor: 'none' }])
      expect(refusalOf(await client().round(betID, query))).toEqual(INVALID);
    await server.post('/wallet/end-round', { sessionID: await server.liveSession({ token: 'keen' }) });
  });
});

describe('a round of a seamless wallet', () => {
  it('whole: with its wallet transactions', async () => {
    const { client, sessionID, betID } = await seamlessRound();
    await server.post('/wallet/end-round', { sessionID });
    const transactions = await server.db.walletTransaction.findMany({
      where: { roundId: betID },
      orderBy: { createdAt: 'asc' },
    });
    const { body } = await client.round(betID);
    expect(body).toMatchObject({ playerID: 'player-7', state: 'settled', payout: 1.5 * UNIT });
    expect(body.movements).toEqual(
      transactions.map(({ transactionId, kind, amountMicros, createdAt, settledAt }) => ({
        ...{ transactionID: transactionId, kind, amount: Number(amountMicros), state: 'accepted', attempts: 1 },
        ...{ createdAt: createdAt.toISOString(), settledAt: settledAt?.toISOString() },
        ...{ lastResponse: 'accepted', lastResponseAt: settledAt?.toISOString(), nextAttemptAt: null },
        reference: `own ${transactionId}`,
      })),
    );
    expect(kindsOf(body.movements)).toEqual([`debit ${UNIT} accepted`, `credit ${1.5 * UNIT} accepted`]);
  });

  it('a losing round that closes itself is settled, also before its credit is sent', async () => {
    const { client, betID } = await seamlessRound(BOOK.pays0, 'AUTO');
    const { body } = await client.round(betID);
    expect(body.state).toBe('settled');
    const debit = `debit ${UNIT} accepted`;
    expect(kindsOf(body.movements)).toEqual([debit, expect.stringMatching(/^credit 0 /)]);
    const movements = async () => kindsOf((await client.round(betID)).body.movements);
    await expect.poll(movements).toEqual([debit, 'credit 0 accepted']);
    const [, closing] = (await client.round(betID)).body.movements;
    expect(closing?.reference).toBe(`own ${closing?.transactionID}`);
  });

  it('a debit without a response is abandoned, and its rollback is listed', async () => {
    const { client, betID } = await seamlessRound();
    await client.voidRound(betID);
    await server.db.walletTransaction.updateMany({
      where: { roundId: betID, kind: 'debit' },
      data: { state: 'abandoned', resultCode: 'timeout', httpStatus: null },
    });
    await server.db.$executeRaw`
      UPDATE wallet_transactions w SET settled_at = r.ended_at FROM rounds r WHERE r.id = w.round_id AND w.round_id = ${betID} AND w.kind = 'debit'`;
    const { body } = await client.round(betID);
    expect(kindsOf(body.movements)).toEqual([`debit ${UNIT} abandoned`, `rollback ${UNIT} pending`]);
  });
});

describe('a record of a round', () => {
  const recordOf = async (betID: number) => (await client().round(betID)).body;

  it('is interrupted while it is open and nothing has happened in it for an hour', async () => {
    const { sessionID, betID } = await houseRound(BOOK.pays150, { token: 'leaves' });
    expect(await recordOf(betID)).toMatchObject({ state: 'open', interrupted: false });
    await ageRounds(server, sessionID, 59 * MINUTE_MS);
    expect((await recordOf(betID)).interrupted).toBe(false);
    await ageRounds(server, sessionID, 2 * MINUTE_MS);
    expect((await recordOf(betID)).interrupted).toBe(true);
    expect((await client().playerRounds('leaves')).body.rounds[0]).toMatchObject({ betID, interrupted: true });
    await server.post('/bet/event', { sessionID, event: 'picked' });
    expect((await recordOf(betID)).interrupted).toBe(false);
    await server.post('/wallet/end-round', { sessionID });
    await server.db.roundEvent.deleteMany({ where: { roundId: betID } });
    expect(await recordOf(betID)).toMatchObject({ state: 'settled', interrupted: false });
  });

  it('keeps the country that its session had, else that of the account, also when the session is deleted', async () => {
    const { sessionID, betID: unknown } = await houseRound(BOOK.pays0, { token: 'moves', mode: 'AUTO' });
    const { sessionId, accountId } = await roundRow(unknown);
    const lose = async () => (await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' })).body.round.betID;
    const accountIn = (country: string) => server.db.account.update({ where: { id: accountId }, data: { country } });
    const sessionIn = (country: string) => server.db.session.update({ where: { id: sessionId }, data: { country } });
    await accountIn('SE');
    const ofAccount = await lose();
    await sessionIn('FI');
    const ofSession = await lose();
    const countries = async () =>
      Promise.all([unknown, ofAccount, ofSession].map(async (betID) => (await recordOf(betID)).country));
    // The first one was opened before the country was known.
    expect(await countries()).toEqual(['FI', 'SE', 'FI']);
    // A session is kept for a day after its last round, at least.
    await leaveFor(server, sessionID, 2);
    await server.db.session.delete({ where: { id: sessionId } });
    await accountIn('NO');
    expect(await countries()).toEqual(['NO', 'SE', 'FI']);
    expect(await recordOf(ofSession)).toMatchObject({ sessionNumber: Number(sessionId) });
    const { rounds } = (await client().playerRounds('moves')).body;
    expect(rounds.map(({ country }: { country: string }) => country)).toEqual(['FI', 'SE', 'NO']);
  });
});

describe('the statement of a player', () => {
  it('has the rounds of the player alone, 50 on a page, with cursor and filters', async () => {
    const { betID: first } = await houseRound(BOOK.pays0, { token: 'a/b ü', mode: 'AUTO' });
    const { betID: second } = await houseRound(BOOK.pays20, { token: 'a/b ü' });
    await houseRound(BOOK.pays0, { token: 'somebody else', mode: 'AUTO' });
    const ids = async (query: Record<string, string | number> = {}) => {
      const { status, body } = await client().playerRounds('a/b ü', query);
      return [status, body.rounds.map((round: { betID: number }) => round.betID), body.cursor];
    };
    expect(await ids()).toEqual([200, [second, first], null]);
    const [, , cursor] = await ids({ limit: 1 });
    expect(await ids({ limit: 1, cursor: cursor as string })).toEqual([200, [first], null]);
    expect(await ids({ state: 'open' })).toEqual([200, [second], null]);
    const { openedAt } = await roundRow(second);
    expect(await ids({ to: openedAt.toISOString() })).toEqual([200, [first], null]);
    expect((await client().playerRounds('a/b ü')).body).toEqual((await client().rounds({ playerID: 'a/b ü' })).body);
  });

  it('is 404 for a player of nobody, or of another operator; ERR_VAL for a query that is not valid', async () => {
    await houseRound(BOOK.pays0, { token: 'known', mode: 'AUTO' });
    const other = await house();
    for (const response of [await client().playerRounds('unknown'), await other.playerRounds('known')])
      expect(refusalOf(response)).toEqual([404, 'ERR_VAL']);
    for (const query of [{ playerID: 'known' }, { limit: '201' }, { cursor: 'none' }])
      expect(refusalOf(await client().playerRounds('known', query))).toEqual(INVALID);
    expect(refusalOf(await client().playerRounds('a\0b'))).toEqual(INVALID);
  });
});

describe('a round of another operator', () => {
  const NOT_FOUND = [404, 'ERR_BNF'];
  it.each(['0', '-1', '1.5', '01', '1e0', 'none', ' 1', '9007199254740993', '99999999999999999999', 'a/b', '٣'])(
    '%j is 404',
    async (betID) => {
      for (const response of [await client().round(betID), await client().voidRound(betID)])
        expect(refusalOf(response)).toEqual(NOT_FOUND);
    },
  );

  it('404 too: one that was never played, and one of another operator, which stays as it is', async () => {
    const { betID } = await houseRound(BOOK.pays150, { token: 'mine' });
    const other = await house();
    await expectNothingChanged(server, async () => {
      const never = betID + 10_000;
      for (const response of [await other.round(betID), await other.voidRound(betID), await client().round(never)])
        expect(refusalOf(response)).toEqual(NOT_FOUND);
      expect((await other.rounds()).body).toEqual({ rounds: [], cursor: null });
    });
  });
});

it('the replay URL opens the book of the round in the front end of its game', async () => {
  const { betID } = await houseRound(BOOK.pays20, { token: 'replay', mode: 'ANTE' });
  const game = server.catalogue.current('fixture');
  if (game === undefined) throw new Error('the fixture is not served');
  game.frontendFolder = '/a-front-end';
  try {
    const { body } = await client().round(betID);
    expect(parseLaunchUrl(body.replayURL)).toEqual({
      ...{ kind: 'replay', gameHost: server.url, rgsUrl: server.url, game: 'fixture', version: '1.0.0', mode: 'ANTE' },
      ...{ event: String(BOOK.pays20), amount: UNIT, currency: 'USD', language: 'en', device: 'desktop' },
    });
    game.thumbnail = 'tile.svg';
    const [listed] = (await client().games()).body.games;
    expect(listed).toMatchObject({ hasFrontend: true, thumbnail: `${server.url}/fixture/1.0.0/tile.svg` });
  } finally {
    Object.assign(game, { frontendFolder: undefined, thumbnail: undefined });
  }
});

describe('a free round', () => {
  const grantOf = async (betID: number, given: { given?: number; paidAtEnd?: boolean }) => {
    const { accountId: accountID, gameId: gameID } = await roundRow(betID);
    await server.db.operator.updateMany({ data: { freeRounds: true } });
    return giveGrant(server.db, { accountID, gameID, ...given });
  };

  it('cost its player nothing: it names its grant, and what its bet would have cost', async () => {
    const paid = await houseRound(BOOK.pays0, { token: 'lucky' });
    await server.post('/wallet/end-round', { sessionID: paid.sessionID });
    const grantID = await grantOf(paid.betID, {});
    await server.post('/game/force', { sessionID: paid.sessionID, mode: 'BASE', bookID: BOOK.pays150 });
    const { betID } = (await server.play(paid.sessionID, { grantID })).body.round;
    await server.post('/wallet/end-round', { sessionID: paid.sessionID });
    const { body } = await client().round(betID);
    expect(body).toMatchObject({
      amount: UNIT,
      debit: 0,
      grantID,
      freeBet: UNIT,
      payout: 1.5 * UNIT,
      state: 'settled',
    });
    expect(kindsOf(body.movements)).toEqual([`credit ${1.5 * UNIT} accepted`]);
    const { rounds } = (await client().playerRounds('lucky')).body;
    expect(rounds).toMatchObject([
      { betID, debit: 0, grantID, freeBet: UNIT },
      { betID: paid.betID, debit: UNIT },
    ]);
    expect(rounds[1]).not.toHaveProperty('grantID');
  });

  it('has the winnings of its grant when it is the last one', async () => {
    const { client, sessionID, betID } = await seamlessRound();
    await server.post('/wallet/end-round', { sessionID });
    const grantID = await grantOf(betID, { given: 1, paidAtEnd: true });
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
    const free = (await server.play(sessionID, { grantID })).body.round;
    await server.post('/wallet/end-round', { sessionID });
    const { body } = await client.round(free.betID);
    expect(body).toMatchObject({ debit: 0, grantID, freeBet: UNIT, payout: 1.5 * UNIT, state: 'settled' });
    const movements = ['debit 0 accepted', 'credit 0 accepted', `winnings ${1.5 * UNIT} accepted`];
    expect(kindsOf(body.movements)).toEqual(movements);
  });
});
