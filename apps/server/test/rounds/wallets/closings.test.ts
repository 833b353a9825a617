import { toMicros } from '@roundhouse/contract';
import { type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptDebits, settleClosings, settleWalletTransactions } from '../../../src/ledger/commands.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { gate } from '../../support/gate.ts';
import {
  ACCEPT,
  addSeamlessOperator,
  BY_OPERATOR,
  playerOf,
  SECRET,
  useSeamlessServer,
} from '../../support/seamlessServer.ts';
import type { GameClient } from '../../support/testServer.ts';

// src/rounds/wallets/seamless/closings.test.ts tests how closings gather and what a response means.

const server = useSeamlessServer();
let old: FakeWallet;

beforeAll(async () => {
  old = await startFakeWallet({ anyPlayer: true, secret: SECRET, closes: false });
  await addSeamlessOperator(server.db, { code: 'old', url: old.url });
});
afterAll(() => old.close());
beforeEach(() => old.forget());

const lose = async (sessionID: string, by: GameClient = server): Promise<number> => {
  const { body } = await by.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
  expect(body.round).toMatchObject({ active: false, payout: 0 });
  return body.round.betID;
};
const sessions = (count: number) => Promise.all(Array.from({ length: count }, () => server.seamlessSession()));
const closingOf = async (betID: number) => (await server.transactionsOf(betID)).find(({ kind }) => kind === 'credit');
const closed = (wallet = server.wallet) => wallet.callsTo('/close-rounds').flatMap(({ rounds }) => rounds);
const ACCEPTED = { kind: 'credit', amount: 0, state: 'accepted', attempts: 1, resultCode: 'accepted', httpStatus: 200 };

it('losing rounds that close themselves cost the wallet a debit each, and one request together', async () => {
  const players = await sessions(3);
  const betIDs = await Promise.all(players.map((each) => lose(each)));
  await server.settled();
  expect(server.wallet.callsTo('/credit')).toEqual([]);
  const debits = server.wallet.callsTo('/debit');
  const expected = debits.map(({ transactionID, roundID, playerID }) => ({
    transactionID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    debitTransactionID: transactionID,
    ...{ roundID, playerID, gameID: 'fixture', currency: 'USD' },
  }));
  expect(closed()).toEqual(expect.arrayContaining(expected));
  expect(closed()).toHaveLength(3);
  expect(server.wallet.callsTo('/close-rounds').length).toBeLessThan(3);
  for (const betID of betIDs) expect(await closingOf(betID)).toEqual(ACCEPTED);
});

it('the bet comes first: nothing is closed of which the wallet has not taken the debit', async () => {
  const sessionID = await server.seamlessSession();
  server.wallet.next('/debit', { kind: 'before', run: () => expect(closed()).toEqual([]) });
  await lose(sessionID);
  await server.settled();
  expect(closed()).toHaveLength(1);
});

it('a player with a closing under way plays on: the round is credited already', async () => {
  const sessionID = await server.seamlessSession();
  const { opened, open } = gate();
  server.wallet.next('/close-rounds', { kind: 'before', run: () => opened });
  const betID = await lose(sessionID);
  await expect.poll(() => closed()).toHaveLength(1);
  expect(await closingOf(betID)).toMatchObject({ state: 'pending' });
  const round = await server.db.round.findUniqueOrThrow({ where: { id: betID } });
  expect(round).toMatchObject({ walletState: 'credited', endedAt: expect.any(Date) });
  await lose(sessionID);
  open();
  await server.settled();
});

describe('what the wallet does not accept is retried as a single credit of the same content', () => {
  it('each of a group separately: refused, missing, and of unknown closings', async () => {
    const players = await sessions(3);
    server.wallet.next('/close-rounds', {
      kind: 'response',
      status: 200,
      text: ({ rounds: [good, refused] }) => {
        const results = [
          { transactionID: crypto.randomUUID() },
          { transactionID: good?.transactionID.toUpperCase() },
          ...(refused ? [{ transactionID: refused.transactionID, error: 'ERR_GE', message: 'not now' }] : []),
        ];
        return JSON.stringify({ results });
      },
    });
    await Promise.all(players.map((each) => lose(each)));
    await server.settled();
    const [first] = server.wallet.callsTo('/close-rounds');
    const [good, ...others] = first?.rounds ?? [];
    const credits = server.wallet.callsTo('/credit');
    expect(credits).toHaveLength(others.length);
    for (const each of others) expect(credits).toContainEqual({ ...each, amount: 0, roundClosed: true });
    expect(await closingOf(Number(good?.roundID))).toEqual(ACCEPTED);
    for (const { roundID } of others) expect(await closingOf(Number(roundID))).toEqual({ ...ACCEPTED, attempts: 2 });
  });

  it.each([
    ['a time-out', { kind: 'hang', done: true }, 'timeout'],
    ['a refusal of the whole group', { kind: 'refuse', code: 'ERR_VAL' }, 'ERR_VAL'],
    ['another body', { kind: 'response', status: 200, text: '{}' }, 'invalid_response'],
  ] as const)('after %s', async (_, behaviour, resultCode) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/close-rounds', behaviour);
    let seen: unknown;
    const see = async () => {
      seen = await closingOf(betID);
    };
    server.wallet.next('/credit', { kind: 'before', run: see });
    const betID = await lose(sessionID);
    // Its player waits for nothing. This round is completed later, so it is not in the group.
    const { body } = await server.playBook(sessionID, BOOK.pays0);
    expect(body.round).toMatchObject({ active: true });
    await server.settled();
    expect(seen).toMatchObject({ state: 'pending', attempts: 1, resultCode });
    expect(await closingOf(betID)).toMatchObject({ state: 'accepted', attempts: 2 });
  });
});

it('a wallet without /close-rounds gets single credits of 0', async () => {
  const sessionID = server.freshSession(undefined, 'old');
  await server.authenticate(sessionID);
  const betIDs = [await lose(sessionID), await lose(sessionID)];
  await server.settled();
  betIDs.push(await lose(sessionID));
  await server.settled();
  const context = { playerID: playerOf(sessionID), gameID: 'fixture', currency: 'USD', amount: 0, roundClosed: true };
  const debits = old.callsTo('/debit');
  expect(old.callsTo('/credit')).toHaveLength(3);
  for (const [index, betID] of betIDs.entries()) {
    const ids = { debitTransactionID: debits[index]?.transactionID, roundID: String(betID) };
    expect(old.callsTo('/credit')).toContainEqual({ transactionID: expect.any(String), ...ids, ...context });
    expect(await closingOf(betID)).toEqual(ACCEPTED);
  }
});

it('a node that stops sends at once what waits for its group', async () => {
  const node = await server.startNode();
  const betID = await lose(await server.seamlessSession(), node);
  await node.close();
  expect(await closingOf(betID)).toEqual(ACCEPTED);
});

describe('a wallet that takes debits which close their round', () => {
  beforeAll(() => addSeamlessOperator(server.db, { code: 'closing', url: server.wallet.url, closingDebits: true }));
  const session = async () => {
    const sessionID = server.freshSession(undefined, 'closing');
    expect((await server.authenticate(sessionID)).status).toBe(200);
    return sessionID;
  };

  it('gets one request of a lost round, and says so of no other round', async () => {
    const sessionID = await session();
    const betID = await lose(sessionID);
    expect(server.wallet.callsTo('/debit')).toMatchObject([{ roundID: String(betID), roundClosed: true }]);
    expect(await closingOf(betID)).toEqual({ ...ACCEPTED, attempts: 0 });
    const round = await server.db.round.findUniqueOrThrow({ where: { id: betID } });
    expect(round).toMatchObject({ walletState: 'credited', endedAt: expect.any(Date) });
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    await server.playBook(sessionID, BOOK.pays150, { mode: 'AUTO' });
    await server.settled();
    for (const each of server.wallet.callsTo('/debit').slice(1)) expect(each).not.toHaveProperty('roundClosed');
    expect(closed()).toEqual([]);
  });

  it('gets the rollback of such a debit whose result is uncertain, and the round is void', async () => {
    const sessionID = await session();
    server.wallet.next('/debit', { kind: 'hang', done: true });
    expect((await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' })).body.error).toBe('ERR_GEN');
    await server.settled();
    const [debit] = server.wallet.callsTo('/debit');
    expect(debit).toMatchObject({ roundClosed: true });
    const transactions = await server.transactionsOf(Number(debit?.roundID));
    expect(transactions.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['debit abandoned', 'rollback accepted']);
    expect(server.wallet.outcomeOf(debit?.transactionID ?? '')).toBe('rolled back');
  });
});

it('two nodes close each round once', async () => {
  const node = await server.startNode();
  const players = await sessions(6);
  for (let round = 0; round < 5; round += 1)
    await Promise.all(players.map((sessionID, index) => lose(sessionID, index % 2 ? server : node)));
  await server.settled();
  await node.close();
  expect(new Set(closed().map(({ roundID }) => roundID)).size).toBe(30);
  expect(closed()).toHaveLength(30);
  expect(server.wallet.callsTo('/credit')).toEqual([]);
});

describe('of two that settle one wallet transaction the first decides', () => {
  const FAIL = {
    resultCode: 'timeout',
    httpStatus: undefined,
    resultDetail: 'time-out',
    reference: undefined,
  } as const;
  beforeAll(() => addSeamlessOperator(server.db, { code: 'patient', url: server.wallet.url, timeoutMs: 60_000 }));
  const TOLD = { reportedBalance: toMicros(0), reference: undefined };
  const ACCEPT_DEBIT = { httpStatus: 200, walletTimeoutMs: 1_000, closed: false, ...TOLD };

  /** Runs a transaction that has settled something, and the other one that waits for it. */
  async function race(first: (db: typeof server.db) => Promise<unknown>, second: () => Promise<unknown>) {
    const db = openDatabase({ url: server.databaseUrl, connections: 1 });
    await db.pool.query('BEGIN');
    await first(db);
    const waiting = second();
    await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
    await db.pool.query('COMMIT');
    await db.$disconnect();
    return waiting;
  }
  const waits = () => server.db.$queryRaw<object[]>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

  /**
   * Makes a lost round whose debit or closing is pending: the wallet keeps it until the release.
   */
  async function pending(path: '/debit' | '/close-rounds') {
    const sessionID = server.freshSession(undefined, 'patient');
    expect((await server.authenticate(sessionID)).status).toBe(200);
    const { opened, open } = gate();
    server.wallet.next(path, { kind: 'before', run: () => opened });
    const played = server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await expect.poll(() => server.wallet.callsTo(path)).toHaveLength(1);
    const where = { state: 'pending' } as const;
    const { transactionId: transactionID, roundId } = await server.db.walletTransaction.findFirstOrThrow({ where });
    const { playerId: playerID } = await server.db.round.findUniqueOrThrow({ where: { id: roundId } });
    const release = async () => {
      open();
      await played;
      await server.settled();
    };
    return { betID: Number(roundId), playerID, transactionID, release };
  }

  it('a closing: what another attempt came to changes nothing', async () => {
    const { betID, playerID, transactionID, release } = await pending('/close-rounds');
    const fail = { playerID, transactionID, result: 'failed', ...FAIL, ...BY_OPERATOR } as const;
    const failed = await race(
      (db) => settleClosings.run(db, [{ transactionID, ...ACCEPT }]),
      () => settleWalletTransactions.run(server.db, [fail]),
    );
    expect(failed).toEqual([{ late: true }]);
    expect(await closingOf(betID)).toEqual(ACCEPTED);
    expect(await settleClosings.run(server.db, [{ transactionID, ...FAIL }])).toEqual([{ late: true }]);
    await release();
    expect(await closingOf(betID)).toEqual(ACCEPTED);
  });

  it.each([
    { first: 'accepted', never: 'abandoned', left: ['debit accepted'] },
    { first: 'abandoned', never: 'accepted', left: ['debit abandoned', 'rollback accepted'] },
  ])('a debit: $first, it is not $never', async ({ first, left }) => {
    const { betID, playerID, transactionID, release } = await pending('/debit');
    const accept = { ...ACCEPT_DEBIT, transactionID, autoClose: first !== 'accepted' };
    const abandon = { playerID, transactionID, result: 'uncertain', ...FAIL, ...BY_OPERATOR } as const;
    const settle = [
      (db: Database) => acceptDebits.run(db, [accept]),
      (db: Database) => settleWalletTransactions.run(db, [abandon]),
    ] as const;
    const [one, other] = first === 'accepted' ? settle : ([settle[1], settle[0]] as const);
    expect(await race(one, () => other(server.db))).toEqual([{ late: true }]);
    await release();
    const transactions = await server.transactionsOf(betID);
    expect(transactions.map(({ kind, state }) => `${kind} ${state}`)).toEqual(left);
  });
});
