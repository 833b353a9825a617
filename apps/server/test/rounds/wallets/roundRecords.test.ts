import { GAME_ROUTES, type HistoryResponse, MAX_MICROS } from '@roundhouse/contract';
import { type Behaviour, OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { expect, it } from 'vitest';
import { settleParked } from '../../../src/ledger/parked.ts';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { readRoundRecords } from '../../../src/store/operators/roundRecords.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { playerOf, useSeamlessServer } from '../../support/seamlessServer.ts';
import { UNIT } from '../../support/testServer.ts';

const PAYOUT = 1.5 * UNIT;
const OPEN = OPENING_BALANCE;

const server = useSeamlessServer();

const played = (sessionID: string, bookID: number, mode = 'BASE') => server.playBook(sessionID, bookID, { mode });
/** Gives one free round, which the next play takes. */
async function give(sessionID: string, { paidAtEnd }: { paidAtEnd: boolean }) {
  await server.db.operator.updateMany({ where: { code: 'acme' }, data: { freeRounds: true } });
  const session = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(sessionID) } });
  const { accountId: accountID, gameId: gameID } = session;
  await giveGrant(server.db, { accountID, gameID, given: 1, automatic: true, paidAtEnd });
}

/** What happens to the latest round of the player, or a new one. */
const STEPS = {
  win: (sessionID: string) => played(sessionID, BOOK.pays150),
  lose: (sessionID: string) => played(sessionID, BOOK.pays0),
  loseAndClose: (sessionID: string) => played(sessionID, BOOK.pays0, 'AUTO'),
  end: (sessionID: string) => server.endRound(sessionID),
  give: (sessionID: string) => give(sessionID, { paidAtEnd: false }),
  giveAtEnd: (sessionID: string) => give(sessionID, { paidAtEnd: true }),
  hurry: () => server.hurry(),
  async void(sessionID: string) {
    const { betID } = await server.roundOf(sessionID);
    const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
    await voidRound(server.db, { operatorID, roundID: BigInt(betID), reason: 'test' });
  },
  async settleByHand() {
    const pending = await server.db.walletTransaction.findFirstOrThrow({ where: { state: 'pending' } });
    const { transactionId: transactionID } = pending;
    await server.db.walletTransaction.update({ where: { transactionId: transactionID }, data: { state: 'parked' } });
    expect(await settleParked(server.db, { transactionID, note: 'paid by hand' })).toBe('settled');
  },
};
/** A number is the balance that the player has from now on, in micros. */
type Step = keyof typeof STEPS | number | [path: '/debit' | '/credit', next: Behaviour];

async function take(step: Step, sessionID: string): Promise<void> {
  if (typeof step === 'number') server.wallet.setBalance(playerOf(sessionID), step);
  else if (typeof step === 'string') await STEPS[step](sessionID);
  else server.wallet.next(...step);
}

/** Returns the balances before and after each round of the player, the oldest first. */
async function balancesOf(sessionID: string): Promise<(number | null)[][]> {
  const balances: (number | null)[][] = [];
  await readRoundRecords(server.db, { externalID: playerOf(sessionID) }, async (records) => {
    balances.push(...records.map(({ balanceBefore, balanceAfter }) => [balanceBefore, balanceAfter]));
  });
  return balances;
}

const LATER = 5 * UNIT;
const LARGEST = { kind: 'response', status: 200, text: JSON.stringify({ balance: MAX_MICROS }), done: true } as const;

it.each<[name: string, steps: Step[], expected: (number | null)[][]]>([
  ['an open round: before it only', ['win'], [[OPEN, null]]],
  [
    'a round that pays: before its debit and after its credit, whatever else happens meanwhile',
    ['win', LATER, 'end'],
    [[OPEN, LATER + PAYOUT]],
  ],
  [
    'a round that pays nothing: after its debit, also when its credit of 0 follows later bets',
    ['loseAndClose', 'loseAndClose', 'lose', LATER, 'end'],
    [0, 1, 2].map((rounds) => [OPEN - rounds * UNIT, OPEN - (rounds + 1) * UNIT]),
  ],
  ['a free round that pays: as any', ['give', 'win', LATER, 'end'], [[OPEN, LATER + PAYOUT]]],
  [
    'a free round whose grant pays at its end: after its debit of 0, and the winnings are of no round',
    ['giveAtEnd', 'win', 'end', 'hurry'],
    [[OPEN, OPEN]],
  ],
  ['a round that the operator has voided: after its rollback', ['win', LATER, 'void'], [[OPEN, LATER + UNIT]]],
  [
    'a round whose debit got no response: after its rollback only',
    [['/debit', { kind: 'cut', done: true }], 'win'],
    [[null, OPEN]],
  ],
  [
    'a round whose debit never came to the wallet: none',
    [['/debit', { kind: 'cut', done: false }], 'win'],
    [[null, null]],
  ],
  ['a round whose debit was refused: none', [['/debit', { kind: 'refuse', code: 'ERR_IPB' }], 'win'], [[null, null]]],
  [
    'a round whose credit was repeated: that of the response that came',
    [['/credit', { kind: 'cut', done: true }], 'win', 'end', 'hurry'],
    [[OPEN, OPEN - UNIT + PAYOUT]],
  ],
  [
    'a round whose credit a person has settled: before it only',
    [['/credit', { kind: 'refuse', code: 'ERR_GE' }], 'win', 'end', 'settleByHand'],
    [[OPEN, null]],
  ],
  [
    'a balance at the end of the range of money: the one that is in it',
    [['/debit', LARGEST], 'loseAndClose'],
    [[null, MAX_MICROS]],
  ],
])(
  'the record has the balances that the operator reported, and the history the first of both: %s',
  async (_, steps, expected) => {
    const sessionID = await server.seamlessSession();
    for (const step of steps) await take(step, sessionID);
    await server.settled();
    expect(await balancesOf(sessionID)).toEqual(expected);
    const { rounds } = (await server.post(GAME_ROUTES.history.path, { sessionID })).body as HistoryResponse;
    expect(rounds.map(({ balanceBefore }) => balanceBefore ?? null)).toEqual(
      expected.map(([before]) => before).reverse(),
    );
  },
);
