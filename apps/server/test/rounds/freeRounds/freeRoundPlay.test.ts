import { expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { OPENING, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

/** Makes a player with a live session, and gives them 3 free rounds. */
async function playerWithGrant(given: Omit<Parameters<typeof giveGrant>[1], 'accountID' | 'gameID'> = {}) {
  const sessionID = await server.liveSession();
  const session = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const give = (more: typeof given) =>
    giveGrant(server.db, { accountID: session.accountId, gameID: session.gameId, ...more });
  return { sessionID, give, grantID: await give(given) };
}

const metaOf = async (sessionID: string) => (await server.authenticate(sessionID)).body.meta;

it('authenticate says null without grants, else the open ones, oldest first', async () => {
  expect(await metaOf(await server.newSession())).toBeNull();
  const { sessionID, give, grantID } = await playerWithGrant({ paidAtEnd: true });
  await give({ startsAt: new Date(Date.now() + 3_600_000) });
  const later = await give({ automatic: true });
  const grant = { grantID, state: 'offered', mode: 'base', amount: UNIT, given: 3, used: 0, left: 3, won: 0 };
  expect((await metaOf(sessionID)).grants).toEqual([
    { ...grant, automatic: false, paidAtEnd: true, startsAt: expect.any(String), expiresAt: expect.any(String) },
    expect.objectContaining({ grantID: later, automatic: true }),
  ]);
});

it('a named grant pays the bet: the round, the history and a resumed round say so', async () => {
  const { sessionID, grantID } = await playerWithGrant();
  await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  const { body } = await server.play(sessionID, { grantID });
  expect(body).toMatchObject({ balance: { amount: OPENING }, round: { grantID, payout: 1.5 * UNIT, active: true } });
  expect(await server.roundOf(sessionID)).toMatchObject({ betID: body.round.betID, grantID });
  expect((await metaOf(sessionID)).grants).toMatchObject([{ state: 'accepted', used: 1, left: 2, won: 0 }]);
  expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 1.5 * UNIT);
  expect((await server.grants(sessionID)).body.grants).toMatchObject([{ used: 1, left: 2, won: 1.5 * UNIT }]);
  expect((await server.history(sessionID)).body.rounds).toMatchObject([{ betID: body.round.betID, grantID }]);
});

it('a grant that is paid at its end pays all its wins with its last round', async () => {
  const { sessionID, grantID } = await playerWithGrant({ given: 2, paidAtEnd: true });
  const balances: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
    await server.play(sessionID, { grantID });
    balances.push((await server.endRound(sessionID)).body.balance.amount);
  }
  expect(balances).toEqual([OPENING, OPENING + 3 * UNIT]);
  expect(await metaOf(sessionID)).toBeNull();
  expect((await server.grants(sessionID, { grantID })).body.grants).toMatchObject([
    { grantID, state: 'finished', used: 2, left: 0, won: 3 * UNIT },
  ]);
});

it('a lost last round that completes itself shows the wins of its grant in its balance', async () => {
  const { sessionID, grantID } = await playerWithGrant({ given: 2, paidAtEnd: true, mode: 'AUTO' });
  const balances: number[] = [];
  for (const bookID of [BOOK.pays150, BOOK.pays0]) {
    await server.post('/game/force', { sessionID, mode: 'AUTO', bookID });
    balances.push((await server.play(sessionID, { mode: 'AUTO', grantID })).body.balance.amount);
    await server.endRound(sessionID);
  }
  expect(balances).toEqual([OPENING, OPENING + 1.5 * UNIT]);
});

// The bodies are those of Engine's public front-end kit: github.com/StakeEngine/web-sdk,
// packages/rgs-requests. It sends no key and reads no grants.
it('an unmodified front end plays an automatic grant, then pays', async () => {
  const { sessionID, grantID } = await playerWithGrant({ given: 1, automatic: true });
  const opened = await server.post('/wallet/authenticate', { sessionID, language: 'en' });
  expect(opened.body).toMatchObject({ balance: { amount: OPENING, currency: 'USD' }, round: {} });
  const playAndEnd = async () => {
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
    const bet = { mode: 'BASE', currency: 'USD', sessionID, amount: UNIT };
    const { body } = await server.post('/wallet/play', bet);
    await server.post('/bet/event', { sessionID, event: '1' });
    const ended = await server.post('/wallet/end-round', { sessionID });
    return { round: body.round, balances: [body.balance.amount, ended.body.balance.amount] };
  };
  const free = await playAndEnd();
  expect(free.balances).toEqual([OPENING, OPENING + 1.5 * UNIT]);
  expect(free.round).toMatchObject({ grantID, active: true, amount: UNIT });
  const paid = await playAndEnd();
  expect(paid.balances).toEqual([OPENING + 0.5 * UNIT, OPENING + 2 * UNIT]);
  expect(paid.round).not.toHaveProperty('grantID');
});

it('a player accepts and declines; a decision can be repeated', async () => {
  const { sessionID, grantID } = await playerWithGrant();
  const decide = async (decision: string) => (await server.grants(sessionID, { grantID, decision })).body.grants;
  for (let time = 0; time < 2; time += 1)
    expect(await decide('accept')).toMatchObject([{ grantID, state: 'accepted' }]);
  for (let time = 0; time < 2; time += 1)
    expect(await decide('decline')).toMatchObject([{ grantID, state: 'declined', left: 0 }]);
  expectRefusal(await server.grants(sessionID, { grantID, decision: 'accept' }), 'ERR_VAL', 'has ended');
  expectRefusal(await server.play(sessionID, { grantID }), 'ERR_VAL', 'has ended');
  expect(await metaOf(sessionID)).toBeNull();
});

it('a decision needs a grant of the player, and a player sees no grant of another one', async () => {
  const { grantID } = await playerWithGrant();
  const sessionID = await sessionInRound(server);
  expectRefusal(await server.grants(sessionID, { decision: 'accept' }), 'ERR_VAL', 'grantID');
  expectRefusal(await server.grants(sessionID, { grantID }), 'ERR_VAL', 'no such grant');
  expect((await server.grants(sessionID)).body).toEqual({ grants: [] });
});
