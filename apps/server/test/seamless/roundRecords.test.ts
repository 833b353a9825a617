import { GAME_ROUTES, type HistoryResponse, MAX_MICROS } from '@roundhouse/contract';
import { OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { expect, it } from 'vitest';
import { readRoundRecords } from '../../src/ledger/queries/roundRecords.ts';
import { voidRound } from '../../src/ledger/queries/rounds.ts';
import { settleParked } from '../../src/ledger/queries/walletTransactions.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { playerOf, useSeamlessServer } from '../support/seamlessServer.ts';
import { UNIT } from '../support/testServer.ts';

const PAYOUT = 1.5 * UNIT;
const OPEN = OPENING_BALANCE;

const server = useSeamlessServer();

const win = (sessionID: string) => server.playBook(sessionID, BOOK.pays150);
const lose = (sessionID: string) => server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
const end = (sessionID: string) => server.endRound(sessionID);
const setBalance = (sessionID: string, micros: number) => server.wallet.setBalance(playerOf(sessionID), micros);

/** Returns the balances before and after each round of the player, the oldest first. */
async function balancesOf(sessionID: string): Promise<(number | null)[][]> {
  const balances: (number | null)[][] = [];
  await readRoundRecords(server.db, { externalID: playerOf(sessionID) }, async (records) => {
    balances.push(...records.map(({ balanceBefore, balanceAfter }) => [balanceBefore, balanceAfter]));
  });
  return balances;
}

type Case = [name: string, act: (sessionID: string) => Promise<void>, expected: (number | null)[][]];

it.each<Case>([
  ['an open round: before it only', async (sessionID) => void (await win(sessionID)), [[OPEN, null]]],
  [
    'a round that pays: before its debit and after its credit, whatever else happens meanwhile',
    async (sessionID) => {
      await win(sessionID);
      setBalance(sessionID, 5 * UNIT);
      await end(sessionID);
    },
    [[OPEN, 5 * UNIT + PAYOUT]],
  ],
  [
    'a round that pays nothing: after its debit, also when its credit of 0 follows later bets',
    async (sessionID) => {
      await lose(sessionID);
      await lose(sessionID);
      await server.playBook(sessionID, BOOK.pays0);
      setBalance(sessionID, 5 * UNIT);
      await end(sessionID);
    },
    [
      [OPEN, OPEN - UNIT],
      [OPEN - UNIT, OPEN - 2 * UNIT],
      [OPEN - 2 * UNIT, OPEN - 3 * UNIT],
    ],
  ],
  [
    'a round that the operator has voided: after its rollback',
    async (sessionID) => {
      const { betID } = (await win(sessionID)).body.round;
      const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
      setBalance(sessionID, 5 * UNIT);
      await voidRound(server.db, { operatorID, roundID: BigInt(betID), reason: 'test' });
    },
    [[OPEN, 6 * UNIT]],
  ],
  [
    'a round whose debit got no response: after its rollback only',
    async (sessionID) => {
      server.wallet.next('/debit', { kind: 'cut', done: true });
      await win(sessionID);
    },
    [[null, OPEN]],
  ],
  [
    'a round whose debit never came to the wallet: none',
    async (sessionID) => {
      server.wallet.next('/debit', { kind: 'cut', done: false });
      await win(sessionID);
    },
    [[null, null]],
  ],
  [
    'a round whose debit was refused: none',
    async (sessionID) => {
      server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
      await win(sessionID);
    },
    [[null, null]],
  ],
  [
    'a round whose credit was repeated: that of the response that came',
    async (sessionID) => {
      server.wallet.next('/credit', { kind: 'cut', done: true });
      await win(sessionID);
      await end(sessionID);
      await server.hurry();
    },
    [[OPEN, OPEN - UNIT + PAYOUT]],
  ],
  [
    'a round whose credit a person has settled: before it only',
    async (sessionID) => {
      server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' });
      await win(sessionID);
      await end(sessionID);
      const { transactionId: transactionID } = await server.db.walletTransaction.findFirstOrThrow({
        where: { state: 'pending' },
      });
      await server.db.walletTransaction.update({ where: { transactionId: transactionID }, data: { state: 'parked' } });
      expect(await settleParked(server.db, { transactionID, note: 'paid by hand' })).toBe('settled');
    },
    [[OPEN, null]],
  ],
  [
    'a balance at the end of the range of money: the one that is in it',
    async (sessionID) => {
      const text = JSON.stringify({ balance: MAX_MICROS });
      server.wallet.next('/debit', { kind: 'response', status: 200, text, done: true });
      await lose(sessionID);
    },
    [[null, MAX_MICROS]],
  ],
])(
  'the record has the balances that the operator reported, and the history the first of both: %s',
  async (_, act, expected) => {
    const sessionID = await server.seamlessSession();
    await act(sessionID);
    await server.settled();
    expect(await balancesOf(sessionID)).toEqual(expected);
    const { rounds } = (await server.post(GAME_ROUTES.history.path, { sessionID })).body as HistoryResponse;
    expect(rounds.map(({ balanceBefore }) => balanceBefore ?? null)).toEqual(
      expected.map(([before]) => before).reverse(),
    );
  },
);
