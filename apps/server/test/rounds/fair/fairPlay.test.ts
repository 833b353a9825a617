import { expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { expectFairRounds, readEveryText } from '../../support/fairBook.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { type GameClient, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });

const FAIR = { draws: 'provablyFair', balance: 1_000_000 * UNIT };

/** Makes a live session with fair draws, whose player has set a client seed. */
async function fairSession(options: Record<string, unknown> = {}): Promise<string> {
  const sessionID = await server.liveSession({ ...FAIR, ...options });
  expect((await setClientSeed(sessionID)).status).toBe(200);
  return sessionID;
}

const setClientSeed = (sessionID: string, clientSeed = 'lucky') =>
  server.post('/fairness/client-seed', { sessionID, clientSeed });

const seedsOf = async (sessionID: string) => (await server.post('/fairness/seeds', { sessionID })).body.fairness;

/** Plays and ends the round. */
async function playOut(node: GameClient, sessionID: string, more: object = {}, key?: string) {
  const played = await node.play(sessionID, more, key);
  if (played.body.round?.active) expect((await node.endRound(sessionID)).status).toBe(200);
  return played;
}

const roundOf = (betID: number) => server.db.round.findUniqueOrThrow({ where: { id: BigInt(betID) } });

it('a play without a client seed is refused, and stores nothing', async () => {
  const sessionID = await server.liveSession(FAIR);
  const refused = await server.play(sessionID);
  expectRefusal(refused, 'ERR_VAL');
  expect(refused.body.message).toContain('/fairness/client-seed');
  expect((await server.history(sessionID)).body.rounds).toEqual([]);
  expect((await server.balance(sessionID)).body.balance.amount).toBe(FAIR.balance);
  await setClientSeed(sessionID);
  expect((await server.play(sessionID)).status).toBe(200);
});

it('what comes before the rules is said in place of a missing client seed', async () => {
  const sessionID = await server.liveSession(FAIR);
  await server.db.session.update({ where: { tokenSha256: sha256Of(sessionID) }, data: { state: 'revoked' } });
  expectRefusal(await server.play(sessionID), 'ERR_IS');
});

it('each round has the book of its seeds and nonce, in each mode, on two nodes in turn', async () => {
  const before = await expectFairRounds(server.db);
  const other = await server.startNode();
  const sessionID = await fairSession();
  for (const mode of ['BASE', 'ANTE', 'BONUS', 'AUTO', 'base']) {
    for (const node of [server, other, other]) {
      expect((await playOut(node, sessionID, { mode })).status).toBe(200);
    }
  }
  expect(await expectFairRounds(server.db)).toBe(before + 15);
  expect((await seedsOf(sessionID)).nonce).toBe(15);
});

it('free rounds take nonces, of a named grant and of an automatic one', async () => {
  const sessionID = await fairSession();
  const session = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const account = { accountID: session.accountId, gameID: session.gameId };
  const grantID = await giveGrant(server.db, { ...account, given: 1 });
  const named = await playOut(server, sessionID, { grantID });
  await giveGrant(server.db, { ...account, given: 1, automatic: true });
  const automatic = await playOut(server, sessionID);
  expect([named, automatic].map(({ body }) => body.round.grantID)).not.toContain(undefined);
  expectRefusal(await server.play(sessionID, { grantID }), 'ERR_VAL');
  const paid = await playOut(server, sessionID);
  for (const [nonce, { body }] of [named, automatic, paid].entries()) {
    expect((await roundOf(body.round.betID)).fairNonce).toBe(BigInt(nonce));
  }
  await expectFairRounds(server.db);
});

it('a forced outcome of local work is a certified round, also in a session with fair draws', async () => {
  const sessionID = await fairSession();
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  expect(body.round.payout).toBe(1.5 * UNIT);
  expect(await roundOf(body.round.betID)).toMatchObject({ fairSeedId: null, fairNonce: null });
  await server.endRound(sessionID);
  expect((await seedsOf(sessionID)).nonce).toBe(0);
});

it('the seeds go on in the next session of the player, and end at a rotation that another node learns of', async () => {
  const other = await server.startNode();
  const token = 'goes-on';
  const first = await fairSession({ token });
  await playOut(other, first);
  const second = await server.liveSession({ ...FAIR, token });
  await playOut(other, second);
  const { serverSeedHash, nextServerSeedHash, nonce } = await seedsOf(second);
  expect(nonce).toBe(2);
  const rotated = await server.post('/fairness/rotate', { sessionID: second, serverSeedHash, clientSeed: 'new' });
  expect(rotated.body).toMatchObject({
    revealed: { nonces: 2 },
    fairness: { serverSeedHash: nextServerSeedHash, nonce: 0 },
  });
  await playOut(other, first);
  await setClientSeed(second, 'newer');
  await playOut(other, first);
  expect(await seedsOf(second)).toMatchObject({ nonce: 2, clientSeed: 'newer' });
  await expectFairRounds(server.db);
});

it('no server seed is in the database in clear', async () => {
  const { texts, seeds } = await readEveryText(server.db);
  expect(seeds.length).toBeGreaterThan(5);
  for (const seed of seeds) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(texts.includes(seed.toString(encoding).replace(/=+$/, ''))).toBe(false);
    }
  }
});
