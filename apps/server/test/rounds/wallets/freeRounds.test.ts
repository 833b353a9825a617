import { beforeAll, expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer({ recovery: true });

beforeAll(() => server.db.operator.updateMany({ data: { freeRounds: true } }));

type Given = Omit<Parameters<typeof giveGrant>[1], 'accountID' | 'gameID'>;

async function playerWithGrant(given: Given = {}) {
  const sessionID = await server.seamlessSession();
  const session = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const grantID = await giveGrant(server.db, { accountID: session.accountId, gameID: session.gameId, ...given });
  const playFree = async (bookID: number, mode = 'BASE') => {
    await server.post('/game/force', { sessionID, mode, bookID });
    return server.play(sessionID, { grantID, mode });
  };
  const grant = async () => (await server.grants(sessionID, { grantID })).body.grants[0];
  return { sessionID, grantID, playFree, grant };
}

it('a debit of a free round is 0 and names the grant and its bet; the credit names the grant', async () => {
  const { sessionID, grantID, playFree } = await playerWithGrant();
  const { body } = await playFree(BOOK.pays150);
  await server.endRound(sessionID);
  const [debit] = server.wallet.callsTo('/debit');
  expect(debit).toMatchObject({ amount: 0, grantID, freeBet: UNIT, roundID: String(body.round.betID) });
  expect(server.wallet.callsTo('/credit')).toMatchObject([{ amount: 1.5 * UNIT, grantID, roundClosed: true }]);
  expect(server.wallet.callsTo('/credit')[0]).not.toHaveProperty('grantClosed');
});

it('a paid round of the same player has none of these fields', async () => {
  const { sessionID } = await playerWithGrant();
  await server.playBook(sessionID, BOOK.pays150);
  await server.endRound(sessionID);
  for (const path of ['/debit', '/credit'])
    for (const field of ['grantID', 'freeBet', 'grantClosed'])
      expect(server.wallet.callsTo(path)[0]).not.toHaveProperty(field);
});

it('a lost free round that closes itself is closed with its grant', async () => {
  const { grantID, playFree, grant } = await playerWithGrant({ mode: 'AUTO', given: 1 });
  await playFree(BOOK.pays0, 'AUTO');
  await server.settled();
  expect(server.wallet.callsTo('/close-rounds').flatMap(({ rounds }) => rounds)).toMatchObject([{ grantID }]);
  expect(await grant()).toMatchObject({ state: 'finished', used: 1, left: 0, won: 0 });
});

it('wins that are paid at the end are one credit with its own id, sent until it is accepted', async () => {
  const { sessionID, grantID, playFree, grant } = await playerWithGrant({ given: 2, paidAtEnd: true });
  await playFree(BOOK.pays150);
  await server.endRound(sessionID);
  const { body } = await playFree(BOOK.pays150);
  server.wallet.next('/credit', { kind: 'before', run: () => {} });
  server.wallet.next('/credit', { kind: 'cut', done: true });
  await server.endRound(sessionID);
  await server.hurry();
  await server.settled();
  expect(await grant()).toMatchObject({ state: 'finished', won: 3 * UNIT });
  const winnings = server.wallet.callsTo('/credit').filter(({ grantClosed }) => grantClosed === true);
  const [first, second] = winnings;
  expect(winnings).toHaveLength(2);
  expect(second).toEqual(first);
  expect(first).toMatchObject({ amount: 3 * UNIT, grantID, roundID: String(body.round.betID), roundClosed: true });
  expect(server.wallet.callsTo('/credit').filter(({ grantClosed }) => grantClosed === undefined)).toMatchObject([
    { amount: 0, grantID },
    { amount: 0, grantID },
  ]);
  const kinds = (await server.transactionsOf(body.round.betID)).map(({ kind, state }) => `${kind} ${state}`);
  expect(kinds).toEqual(['debit accepted', 'credit accepted', 'winnings accepted']);
});

it('the response that ends a grant has the balance with its winnings', async () => {
  const { sessionID, playFree } = await playerWithGrant({ given: 2, paidAtEnd: true, mode: 'AUTO' });
  const before = (await server.balance(sessionID)).body.balance.amount;
  await playFree(BOOK.pays150, 'AUTO');
  expect((await server.endRound(sessionID)).body.balance.amount).toBe(before);
  expect((await playFree(BOOK.pays0, 'AUTO')).body.balance.amount).toBe(before + 1.5 * UNIT);
});
