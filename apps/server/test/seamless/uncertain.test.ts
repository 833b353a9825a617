import { WALLET_ERROR_CODES, type WalletErrorCode } from '@roundhouse/contract';
import { type Behaviour, OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import {
  expectBooksBalance,
  expectError,
  playerOf,
  type SeamlessServer,
  startSeamlessServer,
} from '../support/seamlessServer.ts';

const UNIT = 1_000_000;
let server: SeamlessServer;

beforeAll(async () => {
  server = await startSeamlessServer();
});
afterAll(() => server.close());
beforeEach(() => server.wallet.forget());
afterEach(async () => {
  expect(server.wallet.unmet()).toEqual([]);
  await expectBooksBalance(server.db);
});

const play = (sessionID: string, headers = {}) =>
  server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, headers);

/** Everything that is neither a success nor a code other than ERR_UE. */
const UNCERTAIN: Readonly<Record<string, Behaviour>> = {
  'ERR_UE, nothing done': { kind: 'refuse', code: 'ERR_UE' },
  'ERR_UE, all done': { kind: 'answer', status: 500, text: '{"error":"ERR_UE"}', done: true },
  'a time-out, nothing done': { kind: 'hang', done: false },
  'a time-out, all done': { kind: 'hang', done: true },
  'a dropped connection, nothing done': { kind: 'cut', done: false },
  'a dropped connection, all done': { kind: 'cut', done: true },
  '500 without a code': { kind: 'answer', status: 500, text: '{"message":"oops"}', done: true },
  '502 from a proxy': { kind: 'answer', status: 502, text: '<h1>Bad Gateway</h1>' },
  'an unknown code': { kind: 'answer', status: 400, text: '{"error":"ERR_WHAT"}', done: true },
  garbage: { kind: 'answer', status: 200, text: '{"balance":', done: true },
  'nothing at all': { kind: 'answer', status: 200, text: '', done: true },
  'a balance that is no number': { kind: 'answer', status: 200, text: '{"balance":"12"}', done: true },
  'a refusal that says success': { kind: 'answer', status: 200, text: '{"error":"ERR_IPB"}' },
  'a redirect': { kind: 'answer', status: 302, text: '' },
};

describe('a debit whose answer is not certain', () => {
  test.each(Object.entries(UNCERTAIN))(
    '%s: ERR_GEN, the round is void, and the bet is given back',
    async (_, behaviour) => {
      const sessionID = await server.seamlessSession();
      const player = playerOf(sessionID);
      server.wallet.next('/debit', behaviour);
      expectError(await play(sessionID), 500, 'ERR_GEN');
      await server.settled();
      expect(server.wallet.balanceOf(player)).toBe(OPENING_BALANCE);
      const [debit] = server.wallet.callsTo('/debit');
      expect(server.wallet.callsTo('/rollback')).toMatchObject([
        {
          debitTransactionID: debit?.transactionID,
          roundID: debit?.roundID,
          playerID: player,
          currency: 'USD',
          gameID: 'fixture',
        },
      ]);
      expect(server.wallet.outcomeOf(debit?.transactionID)).not.toBe('taken');
      // The round is none that the player has played, and the next one may be.
      expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toEqual({});
      expect((await play(sessionID)).status).toBe(200);
      expect(server.wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
    },
  );

  test('may be played again with the same key, and is one bet in the end', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'cut', done: true });
    const key = { 'Idempotency-Key': 'a-key' };
    expectError(await play(sessionID, key), 500, 'ERR_GEN');
    const again = await play(sessionID, key);
    expect(again.status).toBe(200);
    await server.settled();
    expect(server.wallet.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE - UNIT);
    expect((await play(sessionID, key)).body.round.betID).toBe(again.body.round.betID);
  });

  test('the rollback is repeated, with the same id, until its answer is certain', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'cut', done: true });
    server.wallet.next('/rollback', { kind: 'refuse', code: 'ERR_GE' });
    server.wallet.next('/rollback', { kind: 'refuse', code: 'ERR_MAINTENANCE' });
    server.wallet.next('/rollback', { kind: 'cut', done: true });
    expectError(await play(sessionID), 500, 'ERR_GEN');
    await server.settled();
    const rollbacks = server.wallet.callsTo('/rollback');
    expect(rollbacks).toHaveLength(4);
    expect(new Set(rollbacks.map(({ transactionID }) => transactionID)).size).toBe(1);
    expect(server.wallet.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE);
  });

  test('"not found" is a certain answer to the rollback', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'cut', done: false });
    expectError(await play(sessionID), 500, 'ERR_GEN');
    await server.settled();
    expect(server.wallet.callsTo('/rollback')).toHaveLength(1);
    const rollback = await server.db.walletTransaction.findFirstOrThrow({
      where: { kind: 'rollback' },
      orderBy: { createdAt: 'desc' },
    });
    expect(rollback).toMatchObject({
      state: 'accepted',
      settledBy: 'operator',
      resultCode: 'ERR_BNF',
      httpStatus: 400,
    });
  });

  test('takes nothing from what the player may bet today', async () => {
    server.wallet.say({ limits: { dailyWager: UNIT } });
    const sessionID = await server.seamlessSession();
    server.wallet.say({});
    server.wallet.next('/debit', { kind: 'cut', done: true });
    expectError(await play(sessionID), 500, 'ERR_GEN');
    expect((await play(sessionID)).status).toBe(200);
    await server.settled();
  });
});

describe('a debit that is refused for certain', () => {
  const ANSWERS: Readonly<Record<Exclude<WalletErrorCode, 'ERR_UE'>, [status: number, error: string]>> = {
    ERR_IPB: [400, 'ERR_IPB'],
    ERR_IS: [400, 'ERR_IS'],
    ERR_ATE: [400, 'ERR_ATE'],
    ERR_GLE: [400, 'ERR_GLE'],
    ERR_LOC: [400, 'ERR_LOC'],
    ERR_MAINTENANCE: [500, 'ERR_MAINTENANCE'],
    ERR_VAL: [500, 'ERR_GEN'],
    ERR_DUP: [500, 'ERR_GEN'],
    ERR_BNF: [500, 'ERR_GEN'],
    ERR_GE: [500, 'ERR_GEN'],
  };

  test('every certain code has its answer', () => {
    expect(Object.keys(ANSWERS).sort()).toEqual(WALLET_ERROR_CODES.filter((code) => code !== 'ERR_UE').sort());
  });

  test.each(Object.entries(ANSWERS))('%s: %s, no round, no rollback', async (code, [status, error]) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'refuse', code: code as WalletErrorCode });
    expectError(await play(sessionID), status, error);
    expect(await server.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
    expect(server.wallet.callsTo('/rollback')).toEqual([]);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toEqual({});
    expect((await play(sessionID)).status).toBe(200);
  });

  test('too little money, by the operator’s own reckoning', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.setBalance(playerOf(sessionID), UNIT - 1);
    expectError(await play(sessionID), 400, 'ERR_IPB');
    expect(server.wallet.balanceOf(playerOf(sessionID))).toBe(UNIT - 1);
  });
});

describe('a credit that is not accepted', () => {
  const FAILURES: Readonly<Record<string, [behaviour: Behaviour, error: string]>> = {
    'a lost answer': [{ kind: 'cut', done: true }, 'ERR_GEN'],
    'a dropped connection': [{ kind: 'cut', done: false }, 'ERR_GEN'],
    'a time-out': [{ kind: 'hang', done: true }, 'ERR_GEN'],
    garbage: [{ kind: 'answer', status: 200, text: 'ok', done: true }, 'ERR_GEN'],
    ERR_GE: [{ kind: 'refuse', code: 'ERR_GE' }, 'ERR_GEN'],
    ERR_VAL: [{ kind: 'refuse', code: 'ERR_VAL' }, 'ERR_GEN'],
    ERR_MAINTENANCE: [{ kind: 'refuse', code: 'ERR_MAINTENANCE' }, 'ERR_MAINTENANCE'],
  };

  test.each(Object.entries(FAILURES))(
    '%s: the round stays active, end-round again sends the same credit',
    async (_, [behaviour, error]) => {
      const sessionID = await server.seamlessSession();
      await server.playBook(sessionID, BOOK.pays150);
      server.wallet.next('/credit', behaviour);
      expectError(await server.post('/wallet/end-round', { sessionID }), 500, error);
      // Before recovery comes to it: the player is quicker.
      expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toMatchObject({
        payout: 1.5 * UNIT,
      });
      expect((await server.post('/wallet/end-round', { sessionID })).body).toEqual({
        balance: { amount: OPENING_BALANCE + 0.5 * UNIT, currency: 'USD' },
      });
      const credits = server.wallet.callsTo('/credit');
      expect(new Set(credits.map(({ transactionID }) => transactionID)).size).toBe(1);
      expect(server.wallet.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE + 0.5 * UNIT);
    },
  );

  test('is active for the player until then, and play is ERR_VAL', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' }, 1000);
    expectError(await server.post('/wallet/end-round', { sessionID }), 500, 'ERR_GEN');
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.active).toBe(true);
    expectError(await play(sessionID), 400, 'ERR_VAL');
    server.wallet.forget();
    await server.settled();
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.active).toBe(false);
    expect((await play(sessionID)).status).toBe(200);
  });

  test('is repeated without the player, whose session may be over', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    server.wallet.next('/credit', { kind: 'cut', done: false }, 2);
    expectError(await server.post('/wallet/end-round', { sessionID }), 500, 'ERR_GEN');
    await server.db.$executeRaw`UPDATE sessions SET state = 'revoked'`;
    await server.settled();
    expect(server.wallet.balanceOf(playerOf(sessionID))).toBe(OPENING_BALANCE + 0.5 * UNIT);
  });

  test('the pauses grow from 1 s to an hour, whoever tries, and after 72 hours it is parked for a person', async () => {
    const sessionID = await server.seamlessSession();
    const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' }, 1000);
    /** Seconds from the beginning to the next attempt, when the last one failed at this age. */
    const nextDue = async (ageSeconds: number): Promise<{ due: number; tookSeconds: number }> => {
      const beganMs = performance.now();
      // Recovery, which is awake, must not get a turn between.
      await server.db.$executeRaw`
        UPDATE wallet_transactions SET due_at = now() + interval '1 day', created_at = now() - make_interval(secs => ${ageSeconds}::float8)
        WHERE kind = 'credit' AND round_id = ${betID}`;
      await server.post('/wallet/end-round', { sessionID });
      const [row] = await server.db.$queryRaw<{ seconds: number }[]>`
        UPDATE wallet_transactions w SET due_at = now() + interval '1 day' FROM (SELECT transaction_id, due_at, created_at FROM wallet_transactions) was
        WHERE was.transaction_id = w.transaction_id AND w.kind = 'credit' AND w.round_id = ${betID}
        RETURNING round(extract(epoch FROM was.due_at - was.created_at))::integer AS seconds`;
      return { due: row?.seconds ?? Number.NaN, tookSeconds: (performance.now() - beganMs) / 1000 };
    };
    await server.post('/wallet/end-round', { sessionID });
    const steps = [
      [1.5, 3],
      [4, 8],
      [10, 18],
      [20, 48],
      [50, 108],
      [110, 228],
      [240, 528],
      [600, 1128],
      [1200, 2928],
      [3000, 6600],
      [90_000, 93_600],
    ] as const;
    for (const [place, [age, seconds]] of steps.entries()) {
      const { due, tookSeconds } = await nextDue(age);
      // Where others have the cores, the attempt may come so late that it is one of the next step.
      const latest = age + tookSeconds < seconds ? seconds + tookSeconds : (steps[place + 1]?.[1] ?? Number.NaN);
      expect(due).toBeGreaterThanOrEqual(seconds - 1);
      expect(due).toBeLessThanOrEqual(latest + 1);
    }

    await server.db
      .$executeRaw`UPDATE wallet_transactions SET retry_until = now() WHERE round_id = ${betID} AND kind = 'credit'`;
    expectError(await server.post('/wallet/end-round', { sessionID }), 500, 'ERR_GEN');
    expect((await server.transactionsOf(betID)).find(({ kind }) => kind === 'credit')).toMatchObject({
      kind: 'credit',
      state: 'parked',
      resultCode: 'ERR_GE',
    });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain(
      'roundhouse_wallet_transactions_unsettled{operator="acme",kind="credit",state="parked"} 1',
    );

    // Never dropped: the player may end the round again, when the operator is well.
    server.wallet.forget();
    expect((await server.post('/wallet/end-round', { sessionID })).status).toBe(200);
    expect((await server.transactionsOf(betID)).find(({ kind }) => kind === 'credit')).toMatchObject({
      state: 'accepted',
    });
  });
});
