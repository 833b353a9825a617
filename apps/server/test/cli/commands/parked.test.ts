import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { retryParked, settleParked } from '../../../src/ledger/parked.ts';
import { findRoundDetail } from '../../../src/store/operators/roundDetail.ts';
import { takeDueWalletTransactions } from '../../../src/store/rounds/walletTransactions.ts';
import { lockAccount } from '../../support/accountLock.ts';
import { useBooks } from './books.ts';

const HOUR_MS = 3_600_000;
const since = new Date('2026-01-02T03:04:05.678Z');
const parkedCredit = { kind: 'credit', state: 'parked', resultDetail: 'time-out', createdAt: since } as const;

const books = useBooks();
let operatorID: number;

beforeAll(async () => {
  operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
});

const newPlayer = (name: string = randomUUID()) => books.player(operatorID, name);

/** Makes a round with a parked credit: returns the id of the credit, the round and its account. */
async function owed(player?: string) {
  const session = await newPlayer(player);
  const { ids, round } = await books.round(session, [{ kind: 'debit' }, parkedCredit], { payout: 12_500_000n });
  return { creditID: ids[1] ?? '', round, accountId: session.accountId };
}

const rowOf = (transactionId: string) => books.db.walletTransaction.findUniqueOrThrow({ where: { transactionId } });
const roundOf = (id: bigint) => books.db.round.findUniqueOrThrow({ where: { id } });
const accountOf = (id: bigint) => books.db.account.findUniqueOrThrow({ where: { id } });
const parked = (...args: string[]) => books.succeed('parked', ...args);

describe('roundhouse parked', () => {
  it('list shows the player, the amount, the time and the last result', async () => {
    expect(await parked('list')).toBe('Nothing is parked.\n');
    const { creditID, round } = await owed('anna');
    expect(await parked('list')).toBe(
      `${creditID}  credit of round ${round.id}, player anna of acme, 12.50 USD\n` +
        '  since 2026-01-02T03:04:05.678Z, 1 attempt, last result: time-out\n',
    );
    await settleParked(books.db, { transactionID: creditID, note: 'done with' });
  });

  it('retry has one sent again at once, and for another 72 hours', async () => {
    const [one, two] = [await owed(), await owed()];
    expect(await parked('retry', one.creditID.toUpperCase())).toBe('1 wallet transaction due again.\n');
    const { retryUntil, ...again } = await rowOf(one.creditID);
    expect(again).toMatchObject({ state: 'pending', attempts: 1, settledAt: null });
    expect(Math.abs(retryUntil.getTime() - Date.now() - 72 * HOUR_MS)).toBeLessThan(HOUR_MS);
    expect(await takeDueWalletTransactions(books.db, 10)).toEqual([one.creditID]);
    expect((await rowOf(two.creditID)).state).toBe('parked');
    await books.expectRefused(`parked retry ${one.creditID}`, /is not parked: it is pending\.$/m);

    await owed();
    expect(await parked('retry', 'all')).toBe('2 wallet transactions due again.\n');
    expect(await parked('retry', 'all')).toBe('Nothing is parked.\n');
  });

  it('settle marks it as accepted: the round is paid and closed, and what was won counts', async () => {
    const { creditID, round, accountId } = await owed();
    const settlementNote = 'ticket 4711, seen by Ann';
    expect(await parked('settle', creditID, '--reason', settlementNote)).toBe(`${creditID} is settled by hand.\n`);
    // A person who settles sends nothing.
    const settled = { state: 'accepted', settledBy: 'person', settlementNote, resultCode: 'timeout', attempts: 1 };
    expect(await rowOf(creditID)).toMatchObject({ ...settled, settledAt: expect.any(Date) });
    const wanted = { operatorID, roundID: round.id, events: { after: 0n, limit: 1 } };
    const shown = (await findRoundDetail(books.db, wanted))?.transactions;
    const last = { lastResponse: `settled by hand: ${settlementNote}`, lastResponseAt: expect.any(Date) };
    expect(shown?.find(({ transactionID }) => transactionID === creditID)).toMatchObject(last);
    expect(await roundOf(round.id)).toMatchObject({ walletState: 'credited', endedAt: expect.any(Date) });
    expect(await accountOf(accountId)).toMatchObject({ wonTodayMicros: 12_500_000n, balanceMicros: null });
    await books.expectRefused(`parked settle ${creditID} --reason again`, /is not parked: it is accepted\.$/m);
  });

  it('settle of a rollback leaves its round as void as it was', async () => {
    const transactions = [
      { kind: 'debit', state: 'abandoned' },
      { kind: 'rollback', state: 'parked' },
    ] as const;
    const { ids, round } = await books.round(await newPlayer(), transactions);
    const transactionID = ids[1] ?? '';
    expect(await settleParked(books.db, { transactionID, note: 'seen' })).toBe('settled');
    expect(await rowOf(transactionID)).toMatchObject({ state: 'accepted', settledBy: 'person' });
    expect(await roundOf(round.id)).toMatchObject({ walletState: 'void', endedAt: round.endedAt });
  });

  it('two that settle the same one at once settle it once', async () => {
    const { creditID: transactionID, accountId } = await owed('settled twice');
    const lock = await lockAccount(books.url, 'settled twice');
    const outcomes = Promise.all([1, 2].map(() => settleParked(books.db, { transactionID, note: 'seen' })));
    // Both have found it parked.
    await lock.untilWaiting(2);
    await lock.release();
    expect((await outcomes).sort()).toEqual(['accepted', 'settled']);
    expect((await accountOf(accountId)).wonTodayMicros).toBe(12_500_000n);
    expect(await retryParked(books.db, { transactionIDs: [transactionID] })).toEqual([]);
  });

  it('a settlement that a retry has overtaken settles nothing', async () => {
    const { creditID: transactionID, round, accountId } = await owed('retried meanwhile');
    const lock = await lockAccount(books.url, 'retried meanwhile');
    const outcome = settleParked(books.db, { transactionID, note: 'paid by hand' });
    // It has found the credit parked.
    await lock.untilWaiting(1);
    expect(await retryParked(books.db, { transactionIDs: [transactionID] })).toEqual([transactionID]);
    await lock.release();
    expect(await outcome).toBe('pending');
    expect(await rowOf(transactionID)).toMatchObject({ state: 'pending', settledBy: null, settlementNote: null });
    expect(await roundOf(round.id)).toMatchObject({ walletState: round.walletState });
    expect((await accountOf(accountId)).wonTodayMicros).toBe(0n);
    // Nothing of it is due for the tests that follow.
    await books.db.walletTransaction.update({ where: { transactionId: transactionID }, data: { state: 'parked' } });
    expect(await settleParked(books.db, { transactionID, note: 'paid by hand' })).toBe('settled');
  });

  it.each([
    ['retry OTHER', /^There is no wallet transaction /],
    ['settle OTHER --reason seen', /^There is no wallet transaction /],
    ['settle ID', /required option '--reason/],
    ['settle ID --reason ', /A reason has 1 to 200 characters/],
    ['retry every', /A transactionID is a UUID/],
  ])('nothing is done without a name or a reason: %s', async (args, line) => {
    const { creditID } = await owed();
    await books.expectRefused(`parked ${args.replace('ID', creditID).replace('OTHER', randomUUID())}`, line);
    expect((await rowOf(creditID)).state).toBe('parked');
  });
});
