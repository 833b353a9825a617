import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { completeRound } from '../../../src/ledger/voidAndComplete.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { startTestAdmin, useTestAdmin } from '../../support/adminServer.ts';
import { BOOK, fixtureEvents, writeFixtureGame } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectNothingChanged } from '../../support/snapshot.ts';
import { OPENING, OPERATOR, serveGames, UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer();
const admin = useTestAdmin(server);
const support = () => admin.as({ role: 'support' });
const viewer = () => admin.as({ role: 'viewer' });
const HOSTILE = '<img src=x onerror=alert(1)>"\'=1+1';

const open = async (sessionID: string, bookID: number = BOOK.pays150) =>
  (await server.playBook(sessionID, bookID)).body.round.betID as number;
const houseRound = async (token: string, bookID?: number) => {
  const sessionID = await server.liveSession({ token });
  return { sessionID, betID: await open(sessionID, bookID) };
};
const seamlessRound = async (bookID?: number, player?: string) => {
  const sessionID = await server.seamlessSession(player);
  return { sessionID, betID: await open(sessionID, bookID) };
};
const get = async (betID: number) => (await viewer().call('getRound', { params: { betID } })).body;
const kinds = (page: { timeline: { kind: string }[] }) => page.timeline.map(({ kind }) => kind);
const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const lastEvent = async (betID: number) => (await listEvents(server.db, { subject: `round ${betID}` }, 1))[0];

describe('a round', () => {
  it('is shown from its session to its end, in the order of time', async () => {
    const { sessionID, betID } = await houseRound('timeline');
    await server.record(sessionID, 'picked:1');
    await server.endRound(sessionID);
    const page = await get(betID);
    expect(kinds(page)).toEqual(['session', 'draw', 'transaction', 'event', 'transaction', 'end']);
    expect(page.round).toMatchObject({ betID, operator: OPERATOR, state: 'settled', payout: 1.5 * UNIT });
    expect(page.timeline[1]).toMatchObject({ bookID: BOOK.pays150, mode: 'BASE', cost: UNIT, payoutMultiplier: 1.5 });
    expect(page.timeline[3]).toMatchObject({ event: 'picked:1' });
    expect(page.timeline.at(-1)).toMatchObject({ state: 'settled', byServer: false });
    expect(page.can).toEqual({ void: false, complete: false });
  });

  it('shows how often the request was sent to the wallet, and its last response', async () => {
    const sessionID = await server.seamlessSession();
    const betID = await open(sessionID);
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_UE' });
    await server.endRound(sessionID);
    await server.hurry();
    await server.settled();
    const { timeline, transactions } = await get(betID);
    const [debit, credit] = timeline.filter(({ kind }: { kind: string }) => kind === 'result');
    expect(debit).toMatchObject({ transaction: 'debit', attempts: 1, state: 'accepted', httpStatus: 200 });
    expect(credit).toMatchObject({ transaction: 'credit', attempts: 2, resultCode: 'accepted', settledBy: 'operator' });
    expect(transactions).toHaveLength(2);
  });

  it('shows the limits that applied', async () => {
    await setOperator(server.db, OPERATOR, { jurisdiction: { minimumRTP: 80 } });
    await server.db.$executeRaw`
      INSERT INTO operator_limits (operator_id, currency, max_bet_micros) SELECT id, 'USD', 5000000 FROM operators WHERE code = ${OPERATOR}`;
    const sessionID = await server.liveSession({ token: 'limits', jurisdiction: { minimumRoundDuration: 2 } });
    await server.db.session.update({
      where: { tokenSha256: sha256Of(sessionID) },
      data: { maxStakeMicros: 3_000_000n },
    });
    const { limits } = await get(await open(sessionID));
    expect(limits).toMatchObject({ maxStake: 3 * UNIT, minimumRoundDurationMs: 2, minimumRTP: 80 });
    expect(limits.operator).toEqual({ maxBet: 5 * UNIT, dailyWager: null, dailyLoss: null });
    await server.endRound(sessionID);
    await server.db.$executeRaw`DELETE FROM operator_limits`;
    await setOperator(server.db, OPERATOR, { jurisdiction: {} });
  });

  it('of a grant shows the grant, and of a deleted session the rest', async () => {
    const sessionID = await server.liveSession({ token: 'granted' });
    const session = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
    const grantID = await giveGrant(server.db, { accountID: session.accountId, gameID: session.gameId });
    const { body } = await server.play(sessionID, { grantID });
    const { timeline } = await get(body.round.betID);
    expect(timeline.find(({ kind }: { kind: string }) => kind === 'grant')).toMatchObject({ grantID, given: 3 });
    if (body.round.active) await server.endRound(sessionID);
    const { jurisdiction, ...row } = await server.db.session.delete({ where: { tokenSha256: sha256Of(sessionID) } });
    expect(kinds(await get(body.round.betID))).not.toContain('session');
    await server.db.session.create({ data: { ...row, jurisdiction: jurisdiction ?? {} } });
  });

  it('of another operator is as unknown as one that does not exist', async () => {
    const { sessionID, betID } = await houseRound('foreign');
    const foreign = admin.as({ role: 'support', operator: 'acme' });
    const wanted = { body: { reason: 'complaint' } };
    await expectNothingChanged(server, async () => {
      for (const name of ['getRound', 'getRoundBook', 'voidRound', 'completeRound'] as const) {
        const own = await foreign.call(name, { params: { betID }, ...wanted });
        const none = await foreign.call(name, { params: { betID: 999_999 }, ...wanted });
        expect([own.status, own.text]).toEqual([404, none.text]);
      }
    });
    await server.endRound(sessionID);
  });

  it.each(['x', '0', '-1', '1e3', '99999999999999999999', '%00', ' '])('has no betID %j', async (betID) => {
    expect((await viewer().call('getRound', { params: { betID } })).status).toBe(betID.length > 20 ? 400 : 404);
  });

  it('keeps hostile texts as they are', async () => {
    const { sessionID, betID } = await seamlessRound(BOOK.pays150, HOSTILE);
    await server.record(sessionID, HOSTILE);
    await support().call('voidRound', { params: { betID }, body: { reason: HOSTILE } });
    await server.settled();
    const { headers, body } = await viewer().call('getRound', { params: { betID } });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(body.round.playerID).toBe(HOSTILE);
    expect(body.timeline).toContainEqual(expect.objectContaining({ kind: 'event', event: HOSTILE }));
    expect(body.timeline).toContainEqual(expect.objectContaining({ kind: 'transaction', reason: HOSTILE }));
  });
});

describe('the book of a round', () => {
  it('comes from the server for players', async () => {
    const { sessionID, betID } = await houseRound('book');
    const { status, body } = await viewer().call('getRoundBook', { params: { betID } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ bookID: BOOK.pays150, payoutMultiplier: 1.5, costMultiplier: 1 });
    // The page for games without a front end, which only `roundhouse dev` has.
    const replay = new URL(body.replayURL);
    expect([replay.origin, replay.searchParams.get('event')]).toEqual([server.url, String(BOOK.pays150)]);
    expect((await fetch(replay)).status).toBe(200);
    expect(body.events).toEqual(fixtureEvents('base', 150));
    await server.endRound(sessionID);
  });

  it('has no replay where the game has no front end', async () => {
    const { sessionID, betID } = await houseRound('bare');
    await server.endRound(sessionID);
    const bare = await serveGames(server, [await writeFixtureGame()], { local: false });
    const read = async (url: string) => {
      const other = await startTestAdmin({ ...server, url });
      onTestFinished(() => other.close());
      return other.as({ role: 'viewer' }).call('getRoundBook', { params: { betID } });
    };
    expect(await read(bare.url)).toMatchObject({ status: 200, body: { replayURL: null } });
    // Nobody listens there.
    const away = await read('http://127.0.0.1:9');
    expect(away).toMatchObject({ status: 500, body: { message: 'the server for players does not respond' } });
  });

  it('of a version that is no longer served is 404, and says so', async () => {
    const { sessionID, betID } = await houseRound('gone');
    await server.endRound(sessionID);
    await server.db.$executeRaw`UPDATE game_versions SET version = '0.9.9'`;
    const { status, body } = await viewer().call('getRoundBook', { params: { betID } });
    await server.db.$executeRaw`UPDATE game_versions SET version = '1.0.0'`;
    expect([status, body.message]).toEqual([404, 'the server no longer serves version 0.9.9 of game fixture']);
  });
});

describe('void', () => {
  it('returns the bet once: the second user sees who was first', async () => {
    const { sessionID, betID } = await houseRound('void');
    const first = admin.as({ role: 'support', email: 'anna@server.example' });
    const { status, body } = await first.call('voidRound', { params: { betID }, body: { reason: ' broken reels ' } });
    expect([status, body.round.state, await balanceOf(sessionID)]).toEqual([200, 'void', OPENING]);
    expect(body.timeline.at(-1)).toMatchObject({
      kind: 'action',
      actor: 'user:anna@server.example',
      event: 'round_voided',
    });
    expect(JSON.parse(body.timeline.at(-1).after)).toEqual({ state: 'void', reason: 'broken reels' });
    const late = await support().call('voidRound', { params: { betID }, body: { reason: 'me too' } });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ by: 'user:anna@server.example', at: expect.any(String) });
  });

  it('needs a reason', async () => {
    const { sessionID, betID } = await houseRound('reason');
    await expectNothingChanged(server, async () => {
      for (const reason of [undefined, '  ', 'x'.repeat(201), 'a\u0000b', 1])
        expect((await support().call('voidRound', { params: { betID }, body: { reason } })).status).toBe(400);
    });
    await server.endRound(sessionID);
  });
});

describe('complete', () => {
  it('pays what the book says, once, and is an event of the user', async () => {
    const { sessionID, betID } = await houseRound('complete');
    const call = () => support().call('completeRound', { params: { betID }, body: { reason: 'the player is gone' } });
    const { status, body } = await call();
    expect([status, body.round.state, await balanceOf(sessionID)]).toEqual([200, 'settled', OPENING + 0.5 * UNIT]);
    expect(body.timeline).toContainEqual(expect.objectContaining({ kind: 'end', byServer: true }));
    const event = await lastEvent(betID);
    expect(event).toMatchObject({ kind: 'round_completed', actor: 'user:support@server.example' });
    expect(JSON.parse(event?.after ?? '')).toEqual({
      state: 'completed',
      credit_micros: 1.5 * UNIT,
      reason: 'the player is gone',
    });
    await expectNothingChanged(server, async () => {
      const late = await call();
      expect([late.status, late.body.by]).toEqual([409, 'user:support@server.example']);
    });
    // The player may play on.
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
    await server.endRound(sessionID);
  });

  it('is refused where the wallet lets only the player do it, and of a void round', async () => {
    const { sessionID, betID } = await seamlessRound();
    const call = () => support().call('completeRound', { params: { betID }, body: { reason: 'gone' } });
    await server.db.operator.update({ where: { code: 'acme' }, data: { completesRounds: false } });
    expect((await get(betID)).can).toEqual({ void: true, complete: false });
    expect((await call()).status).toBe(409);
    await server.db.operator.update({ where: { code: 'acme' }, data: { completesRounds: true } });
    await support().call('voidRound', { params: { betID }, body: { reason: 'first' } });
    await server.settled();
    expect((await call()).body).toMatchObject({ by: 'user:support@server.example', message: 'the round is void' });
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
    await server.endRound(sessionID);
  });

  it('twice is once, also beside the player, whatever the round pays', async () => {
    const books = [BOOK.pays0, BOOK.pays20, BOOK.pays150, BOOK.pays100000];
    const step = fc.constantFrom('complete', 'end' as const);
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...books),
        fc.array(step, { minLength: 2, maxLength: 4 }),
        async (book, steps) => {
          turn += 1;
          const { sessionID, betID } = await houseRound(`twice ${turn}`, book);
          const run = (each: string) =>
            each === 'end'
              ? server.endRound(sessionID)
              : completeRound(server.db, { roundID: BigInt(betID), reason: 'twice' });
          await Promise.all(steps.map(run));
          await completeRound(server.db, { roundID: BigInt(betID), reason: 'at last' });
          const payouts = await server.db.transfer.findMany({ where: { roundId: BigInt(betID), kind: 'payout' } });
          const { payout } = (await get(betID)).round;
          expect(payouts.map(({ amountMicros }) => Number(amountMicros))).toEqual(payout > 0 ? [payout] : []);
          expect(await balanceOf(sessionID)).toBe(OPENING - UNIT + payout);
          const events = await listEvents(server.db, { subject: `round ${betID}`, kind: 'round_completed' });
          expect(events.length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('the list of rounds', () => {
  const list = async (
    query: Record<string, string | number>,
    user: Parameters<typeof admin.as>[0] = { role: 'viewer' },
  ) => (await admin.as(user).call('listRounds', { query })).body;
  const ids = ({ items }: { items: { betID: number }[] }) => items.map(({ betID }) => betID);

  it('has those of all operators, the newest first, page by page', async () => {
    const mine = [await houseRound('lister'), await seamlessRound(BOOK.pays150, 'lister')];
    const newest = mine.map(({ betID }) => betID).reverse();
    const first = await list({ limit: 1 });
    expect(ids(first)).toEqual([newest[0]]);
    expect(ids(await list({ limit: 1, cursor: first.cursor }))).toEqual([newest[1]]);
    expect(ids(await list({ player: 'lister' }))).toEqual(newest);
    expect(ids(await list({ player: 'lister', operator: 'acme' }))).toEqual([newest[0]]);
    expect(ids(await list({ player: 'lister', state: 'settled' }))).toEqual([]);
    expect(ids(await list({ operator: 'acme', limit: 1 }))).toEqual([newest[0]]);
    expect(ids(await list({ operator: 'nobody' }))).toEqual([]);
    expect(ids(await list({ game: 'fixture', state: 'open', limit: 2 }))).toEqual(newest);
    expect(ids(await list({ game: 'other' }))).toEqual([]);
    expect(ids(await list({ to: '2026-01-01T00:00:00Z' }))).toEqual([]);
    expect(ids(await list({ from: new Date(Date.now() - 60_000).toISOString(), limit: 2 }))).toEqual(newest);
    for (const { sessionID } of mine) await server.endRound(sessionID);
  });

  it('tells a bet that the wallet refused from a void round, whose bet was taken', async () => {
    const { betID } = await seamlessRound(BOOK.pays150, 'teller');
    const house = await houseRound('teller');
    for (const each of [betID, house.betID])
      await support().call('voidRound', { params: { betID: each }, body: { reason: 'broken' } });
    const sessionID = await server.seamlessSession('teller');
    server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
    await server.playBook(sessionID, BOOK.pays150);
    const { items } = await list({ player: 'teller' });
    const states = items.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['refused', 'void', 'void']);
    const [refused, ...voided] = ids({ items });
    expect(ids(await list({ player: 'teller', state: 'refused' }))).toEqual([refused]);
    expect(ids(await list({ player: 'teller', state: 'void' }))).toEqual(voided);
    expect((await get(items[0].betID)).timeline.at(-1)).toMatchObject({ kind: 'end', state: 'refused' });
  });

  it('of an operator has only its own, whatever the filter says', async () => {
    const user = { role: 'viewer', operator: 'acme' } as const;
    for (const query of [{}, { operator: OPERATOR }, { operator: 'nobody' }]) {
      const { items } = await list({ ...query, limit: 200 }, user);
      expect(new Set(items.map(({ operator }: { operator: string }) => operator))).toEqual(new Set(['acme']));
    }
    expect(ids(await list({ player: 'complete', operator: OPERATOR }, user))).toEqual([]);
  });

  it.each([
    { cursor: 'x' },
    { limit: 0 },
    { limit: 201 },
    { state: 'lost' },
    { from: 'yesterday' },
    { player: 'a\u0000' },
  ])('refuses %j', async (query) => {
    const { status } = await viewer().call('listRounds', { query: query as Record<string, string> });
    expect(status).toBe(400);
  });
});
