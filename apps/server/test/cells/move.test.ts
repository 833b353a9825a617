import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { forgetMoves } from '../../src/cells/forgetMoves.ts';
import { undoMoves } from '../../src/cells/movePlayers.ts';
import { sha256Of } from '../../src/rounds/sessions/sessionToken.ts';
import { archiveRounds } from '../../src/store/rounds/archive.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { giveGrant } from '../support/grants.ts';
import { leaveFor } from '../support/moveTime.ts';
import { expectRefusal } from '../support/snapshot.ts';
import { UNIT } from '../support/testServer.ts';
import { useTwoCells, whereIs } from './twoCells.ts';

const cells = useTwoCells();

const accountOf = async (sessionID: string) =>
  cells.a.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });

/** A player of the house with a bit of everything. Returns what the player sees of it. */
async function richPlayer(token = cells.newPlayer('house')) {
  const { a } = cells;
  const sessionID = await a.liveSession({ token, draws: 'provablyFair' });
  const { accountId, gameId } = await accountOf(sessionID);
  expect((await a.post('/fairness/client-seed', { sessionID, clientSeed: 'lucky' })).status).toBe(200);
  await a.playBook(sessionID, BOOK.pays150);
  await a.record(sessionID, 'picked:1');
  await a.endRound(sessionID);
  const old = await a.liveSession({ token });
  for (let play = 0; play < 3; play += 1) {
    await a.playBook(old, BOOK.pays20, {}, `key-${play}`);
    await a.endRound(old);
  }
  await leaveFor(a, old, 3);
  await archiveRounds(a.db, { closedBefore: new Date(Date.now() - 2 * 86_400_000), move: true });
  await giveGrant(a.db, { accountID: accountId, gameID: gameId, automatic: true, paidAtEnd: true, given: 3 });
  const current = await a.liveSession({ token });
  await a.playBook(current, BOOK.pays100000);
  await a.endRound(current);
  return { token, sessionID: current, externalID: token };
}

/** What a player sees, from a new session at this cell. */
async function seenAt(server: typeof cells.a, token: string) {
  const sessionID = await server.liveSession({ token });
  const rounds = [];
  let before: string | undefined;
  do {
    const { body } = await server.history(sessionID, { limit: 50, ...(before && { before }) });
    rounds.push(...body.rounds);
    before = body.next;
  } while (before);
  const { balance } = (await server.balance(sessionID)).body;
  return { sessionID, rounds, balance };
}

it('a player of the house goes on in the other cell, with balance, history, limits and free rounds', async () => {
  const { a, b } = cells;
  const player = await richPlayer();
  const before = await seenAt(a, player.token);
  expect(before.rounds.length).toBeGreaterThanOrEqual(2);
  expect(await cells.move('house', { externalIDs: [player.token] })).toEqual({ moved: 1, left: [] });
  expect(await whereIs(cells, player.token)).toEqual({
    a: { movedTo: 2, accounts: 0 },
    b: { movedTo: null, accounts: 1 },
  });
  await cells.expectBooks();

  const after = await seenAt(b, player.token);
  expect({ rounds: after.rounds, balance: after.balance }).toEqual({ rounds: before.rounds, balance: before.balance });
  // The grant goes on: two free rounds are left, and its wins are paid with the last one.
  for (let play = 0; play < 2; play += 1) {
    expect((await b.playBook(after.sessionID, BOOK.pays150)).body.round.grantID).toBeTypeOf('string');
    await b.endRound(after.sessionID);
  }
  const paid = (await b.balance(after.sessionID)).body.balance.amount - before.balance.amount;
  expect(paid).toBe(1000 * UNIT + 2 * 1.5 * UNIT);
  await b.playBook(after.sessionID, BOOK.pays0);
  await b.endRound(after.sessionID);
  await cells.expectBooks();
});

it('sessions of both cells end, and a round opens in neither of them', async () => {
  const { a, b } = cells;
  const { token, sessionID } = await richPlayer();
  await cells.move('house', { externalIDs: [token] });
  for (const server of [a, b]) expectRefusal(await server.play(sessionID), 'ERR_IS');
});

it('a player of a seamless wallet goes on in the other cell', async () => {
  const { a, b, wallet } = cells;
  const player = cells.newPlayer('acme');
  const sessionOf = () => `acme:${randomUUID()}:${player}`;
  const first = sessionOf();
  expect((await a.authenticate(first)).status).toBe(200);
  for (const book of [BOOK.pays150, BOOK.pays0, BOOK.pays20]) {
    await a.playBook(first, book);
    await a.endRound(first);
  }
  expect(await cells.move('acme', { externalIDs: [player] })).toEqual({ moved: 1, left: [] });
  await cells.expectBooks();
  const second = sessionOf();
  expect((await b.authenticate(second)).status).toBe(200);
  expect((await b.history(second)).body.rounds).toHaveLength(3);
  const betID = (await b.playBook(second, BOOK.pays150)).body.round.betID;
  expect(BigInt(betID) >> 43n).toBe(2n);
  await b.endRound(second);
  expect(wallet.balanceOf(player)).toBe((await b.balance(second)).body.balance.amount);
});

it('while a player moves, new rounds are refused as maintenance and the open one can be ended', async () => {
  const { a, source } = cells;
  const { sessionID, token } = await richPlayer();
  await a.playBook(sessionID, BOOK.pays150);
  const moving = cells.move('house', { externalIDs: [token] });
  await expect
    .poll(() => source.db.account.count({ where: { player: { externalId: token }, isMoving: true } }))
    .toBe(1);
  // The grant is automatic, so this calls open_free_rounds as well.
  expectRefusal(await a.play(sessionID), 'ERR_MAINTENANCE');
  expect((await a.endRound(sessionID)).status).toBe(200);
  expect(await moving).toEqual({ moved: 1, left: [] });
});

it('a player whose round stays open is left where it is, and plays on', async () => {
  const { a } = cells;
  const { sessionID, token } = await richPlayer();
  const { round } = (await a.playBook(sessionID, BOOK.pays150)).body;
  const left = { externalID: token, why: `round ${round.betID} is open` };
  expect(await cells.move('house', { externalIDs: [token], waitMs: 0 })).toEqual({ moved: 0, left: [left] });
  expect(await whereIs(cells, token)).toEqual({ a: { movedTo: null, accounts: 1 }, b: null });
  await a.endRound(sessionID);
  expect((await a.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  await a.endRound(sessionID);
});

it('--complete completes open rounds', async () => {
  const { a, b } = cells;
  const { sessionID, token } = await richPlayer();
  await a.playBook(sessionID, BOOK.pays150);
  expect(await cells.move('house', { externalIDs: [token], completes: true })).toEqual({ moved: 1, left: [] });
  const [last] = (await seenAt(b, token)).rounds;
  expect(last.active).toBe(false);
});

it('the limits of a day go with the player', async () => {
  const { a, b } = cells;
  const token = cells.newPlayer('house');
  const sessionID = await a.liveSession({ token });
  await a.db.account.updateMany({
    where: { player: { externalId: token } },
    data: { dailyWagerLimitMicros: BigInt(3 * UNIT) },
  });
  for (let play = 0; play < 2; play += 1) {
    await a.playBook(sessionID, BOOK.pays20);
    await a.endRound(sessionID);
  }
  await cells.move('house', { externalIDs: [token] });
  const there = await b.liveSession({ token });
  expect((await b.playBook(there, BOOK.pays20)).status).toBe(200);
  await b.endRound(there);
  expectRefusal(await b.play(there), 'ERR_GLE');
});

it('a campaign is made at the target as it is, and one with other terms is in the way', async () => {
  const { a, b } = cells;
  const { token, sessionID } = await richPlayer();
  const { accountId, gameId } = await accountOf(sessionID);
  const { operatorId } = await a.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const terms = { mode: 'BASE', rounds: 5, bets: { USD: UNIT }, automatic: false, paidAtEnd: false };
  const moments = { startsAt: new Date(Date.now() - 1000), endsAt: new Date(Date.now() + 3_600_000) };
  const campaign = await a.db.campaign.create({
    data: { operatorId, externalId: 'spring', gameIds: [gameId], ...terms, ...moments },
  });
  await giveGrant(a.db, { accountID: accountId, gameID: gameId, given: 5 });
  await a.db.grant.updateMany({ where: { accountId, given: 5 }, data: { campaignId: campaign.id } });

  const there = await b.db.operator.findUniqueOrThrow({ where: { code: 'house' } });
  const game = await b.db.game.findFirstOrThrow();
  const other = { ...terms, ...moments, rounds: 6, operatorId: there.id, externalId: 'spring', gameIds: [game.id] };
  await b.db.campaign.create({ data: other });
  const left = { externalID: token, why: 'campaign spring has other terms at the target' };
  expect(await cells.move('house', { externalIDs: [token] })).toEqual({ moved: 0, left: [left] });
  await b.db.campaign.deleteMany({ where: { externalId: 'spring' } });
  expect(await cells.move('house', { externalIDs: [token] })).toEqual({ moved: 1, left: [] });
  const {
    id,
    operatorId: _,
    gameIds,
    ...copied
  } = await b.db.campaign.findFirstOrThrow({ where: { externalId: 'spring' } });
  expect(gameIds).toEqual([game.id]);
  expect(copied).toEqual({ ...copied, ...terms, ...moments, createdAt: campaign.createdAt, cancelledAt: null });
  const moved = await b.db.grant.findFirstOrThrow({ where: { campaignId: id } });
  expect(moved).toMatchObject({ changeSeq: null, given: 5 });
});

it('rows are forgotten at the source when the target proves that it took them, and not before', async () => {
  const { a, b, source, target, fleet } = cells;
  const { token } = await richPlayer();
  await cells.move('house', { externalIDs: [token] });
  const move = await b.db.cellMove.findFirstOrThrow({ where: { externalId: token } });
  const databaseOf = (name: string) => (name === source.cell.name ? source : target).db;
  const forget = () => forgetMoves(source, { fleet, operatorCode: 'house', databaseOf });
  await b.db
    .$executeRaw`UPDATE cell_moves SET proof = jsonb_set(proof, '{sha256}', '"ff"') WHERE id = ${move.id}::uuid`;
  await expect(forget()).rejects.toThrow(`Cell b does not say that it took the rows of player ${token}`);
  expect(await a.db.movedRow.count({ where: { moveId: move.id } })).toBeGreaterThan(0);
  await b.db
    .$executeRaw`UPDATE cell_moves SET proof = ${JSON.stringify(move.proof)}::jsonb WHERE id = ${move.id}::uuid`;
  expect((await forget()).players).toBeGreaterThan(0);
  expect(await a.db.movedRow.count({ where: { move: { operator: { code: 'house' } } } })).toBe(0);
});

it('a move can go back until the switch', async () => {
  const { a, source, target, fleet } = cells;
  const { sessionID, token } = await richPlayer();
  class Stopped extends Error {}
  const failpoint = (name: string) => {
    if (name === 'staged') throw new Stopped();
  };
  await expect(cells.move('house', { externalIDs: [token], failpoint })).rejects.toThrow(Stopped);
  expectRefusal(await a.play(sessionID), 'ERR_MAINTENANCE');
  expect(await whereIs(cells, token)).toEqual({ a: { movedTo: null, accounts: 1 }, b: { movedTo: 1, accounts: 0 } });
  const run = { source, target, fleet, operatorCode: 'house', waitMs: 0, completes: false };
  expect(await undoMoves(run)).toEqual({ opened: 1, switched: [] });
  expect(await whereIs(cells, token)).toEqual({ a: { movedTo: null, accounts: 1 }, b: null });
  expect(await target.db.movedRow.count()).toBe(0);
  expect((await a.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  await a.endRound(sessionID);
});

it('an account in another currency cannot be opened for a player who has left', async () => {
  const { a } = cells;
  const { token } = await richPlayer();
  await cells.move('house', { externalIDs: [token] });
  const { id, operatorId } = await a.db.player.findFirstOrThrow({ where: { externalId: token } });
  const opened = a.db.account.create({
    data: { operatorId, playerId: id, kind: 'player', currency: 'EUR', balanceMicros: 0n },
  });
  await expect(opened).rejects.toThrow('has moved to cell 2');
});

it('both logs have the event of a move', async () => {
  const { a, b } = cells;
  const { token } = await richPlayer();
  await cells.move('house', { externalIDs: [token] });
  for (const { db } of [a, b]) {
    const events = await db.significantEvent.findMany({
      where: { subject: `player ${token} of operator house`, kind: 'player_moved' },
    });
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.valueBefore ?? '')).toEqual({ cell: 1 });
    expect(JSON.parse(events[0]?.valueAfter ?? '')).toMatchObject({ cell: 2, rows: { sha256: expect.any(String) } });
  }
});
