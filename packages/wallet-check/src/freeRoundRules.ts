import { randomUUID } from 'node:crypto';
import { type CreditRequest, type DebitRequest, type Micros, toMicros } from '@roundhouse/contract';
import { closeAll, expectRefused, sendGroup } from './closingRules.ts';
import { NotTestable, refusalOf } from './exchange.ts';
import {
  closingOf,
  creditOf,
  expectBalanceChange,
  expectCertainRefusal,
  expectNoBalanceChange,
  expectOneOfCopies,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
  newDebit,
  openRound,
  readBalance,
  rollbackOf,
} from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

type FreeDebit = DebitRequest & { grantID: string; freeBet: Micros };

const newGrantID = () => `wallet-check-${randomUUID()}`;

/** Makes a debit of a free round that no wallet has seen. */
function newFreeDebit(wallet: WalletUnderTest, grantID = newGrantID()): FreeDebit {
  const debit = newDebit(wallet);
  return { ...debit, amount: 0, grantID, freeBet: toMicros(debit.amount) };
}

async function openFreeRound(wallet: WalletUnderTest, grantID?: string): Promise<FreeDebit> {
  const debit = newFreeDebit(wallet, grantID);
  expectSuccess(await wallet.call('debit', debit));
  return debit;
}

/** Plays a free round to its end. Its grant pays at the end of all of its rounds. */
async function playFreeRound(wallet: WalletUnderTest, grantID?: string): Promise<FreeDebit> {
  const debit = await openFreeRound(wallet, grantID);
  expectSuccess(await wallet.call('credit', creditOf(debit, 0)));
  return debit;
}

/** Returns the credit that pays all wins of a grant. It names the grant's last round. */
function winningsOf(lastDebit: DebitRequest): CreditRequest {
  return { ...creditOf(lastDebit, lastDebit.freeBet ?? lastDebit.amount), grantClosed: true };
}

/** Takes what a free round has won from the player, by a bet that loses. */
async function loseWin(wallet: WalletUnderTest): Promise<void> {
  expectSuccess(await wallet.call('credit', creditOf(await openRound(wallet), 0)));
}

const DEBIT_RULES: readonly WalletRule[] = [
  {
    id: 'free.debit',
    rule: 'A free debit (amount 0, grantID, freeBet) is a success, moves nothing and has the balance in its response.',
    async run(wallet) {
      const exchange = await expectNoBalanceChange(wallet, () => wallet.call('debit', newFreeDebit(wallet)));
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'free.debit-repeat',
    rule: 'The same free debit again is the same success.',
    async run(wallet) {
      const debit = await openFreeRound(wallet);
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('debit', debit)));
    },
  },
  {
    id: 'free.debit-other-content',
    rule: 'The transactionID of a free debit with another grantID or freeBet, or as a paid debit, is ERR_DUP.',
    async run(wallet) {
      const debit = await openFreeRound(wallet);
      const { grantID, freeBet, ...rest } = debit;
      const changed: DebitRequest[] = [
        { ...debit, grantID: newGrantID() },
        { ...debit, freeBet: toMicros(freeBet * 2) },
        { ...rest, amount: freeBet },
      ];
      await expectNoBalanceChange(wallet, async () => {
        for (const each of changed) expectRefusal(await wallet.call('debit', each), ['ERR_DUP']);
      });
    },
  },
  {
    id: 'free.debit-incomplete',
    rule: 'A debit of 0 without its grantID or its freeBet is ERR_VAL.',
    async run(wallet) {
      const { grantID, freeBet, ...rest } = newFreeDebit(wallet);
      for (const fields of [{ grantID }, { freeBet }])
        expectRefusal(await wallet.call('debit', { ...rest, ...fields }), ['ERR_VAL']);
    },
  },
  {
    id: 'free.debit-paid',
    rule: 'A debit with a grantID and an amount above 0 is ERR_VAL and takes nothing.',
    async run(wallet) {
      const debit = { ...newFreeDebit(wallet), amount: wallet.facts.bet };
      await expectNoBalanceChange(wallet, async () => expectRefusal(await wallet.call('debit', debit), ['ERR_VAL']));
    },
  },
  {
    id: 'free.no-balance',
    rule: 'A free debit needs no balance: it is a success when the balance does not cover its freeBet.',
    async run(wallet) {
      const [debit, free] = [newDebit(wallet), newFreeDebit(wallet)];
      const balance = await readBalance(wallet);
      // The rest is less than a bet. A wallet need not know coins that are smaller than a bet.
      const amount = balance - (balance % debit.amount);
      const taken = await wallet.call('debit', { ...debit, amount });
      if (refusalOf(taken) === 'ERR_GLE')
        throw new NotTestable('the limits of the player do not allow a debit of the whole balance');
      expectSuccess(taken);
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('debit', free)));
    },
  },
  {
    id: 'free.unknown-session',
    rule: 'A free debit of a session that is not known is ERR_IS.',
    async run(wallet) {
      const debit = { ...newFreeDebit(wallet), sessionID: `unknown-${randomUUID()}` };
      expectRefusal(await wallet.call('debit', debit), ['ERR_IS']);
    },
  },
];

const CREDIT_RULES: readonly WalletRule[] = [
  {
    id: 'free.credit',
    rule: 'A credit with the grantID of its free debit pays its amount.',
    async run(wallet) {
      const credit = creditOf(await openFreeRound(wallet), wallet.facts.bet);
      const exchange = await expectBalanceChange(wallet, credit.amount, () => wallet.call('credit', credit));
      await expectTodaysBalance(wallet, exchange);
      await loseWin(wallet);
    },
  },
  {
    id: 'free.credit-other-grant',
    rule: 'A credit without the grantID of its debit, or with another one, is ERR_VAL and pays nothing.',
    async run(wallet) {
      const [free, paid] = [await openFreeRound(wallet), await openRound(wallet)];
      const { grantID, ...without } = creditOf(free, wallet.facts.bet);
      const credits = [without, { ...without, grantID: newGrantID() }, { ...creditOf(paid, paid.amount), grantID }];
      await expectNoBalanceChange(wallet, async () => {
        for (const each of credits) expectRefusal(await wallet.call('credit', each), ['ERR_VAL']);
      });
    },
  },
  {
    id: 'free.closing',
    rule: 'A closing closes a free round with the grantID of its debit only, and is the credit of 0 with its id.',
    async run(wallet) {
      const [first, second] = [await openFreeRound(wallet), await openFreeRound(wallet)];
      const closing = closingOf(first);
      await closeAll(wallet, [closing]);
      expectSuccess(await wallet.call('credit', { ...closing, amount: 0, roundClosed: true }));
      const { grantID, ...without } = closingOf(second);
      for (const each of [without, { ...without, grantID: newGrantID() }])
        expectRefused(await sendGroup(wallet, { rounds: [each] }), each, ['ERR_VAL']);
    },
  },
  {
    id: 'free.rollback',
    rule: 'A rollback of a free debit returns 0, and its round is void: its credit is refused for certain.',
    async run(wallet) {
      const debit = await openFreeRound(wallet);
      await expectNoBalanceChange(wallet, async () => {
        expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
        expectCertainRefusal(await wallet.call('credit', creditOf(debit, debit.freeBet)));
      });
    },
  },
  {
    id: 'free.late-debit',
    rule: 'A free debit that comes after its rollback is refused for certain.',
    async run(wallet) {
      const debit = newFreeDebit(wallet);
      await wallet.call('rollback', rollbackOf(debit));
      expectCertainRefusal(await wallet.call('debit', debit));
    },
  },
];

const WINNINGS_RULES: readonly WalletRule[] = [
  {
    id: 'free.winnings',
    rule: 'Winnings (a credit with grantClosed) pay their amount. They name the last round of the grant.',
    async run(wallet) {
      const winnings = winningsOf(await playFreeRound(wallet));
      const exchange = await expectBalanceChange(wallet, winnings.amount, () => wallet.call('credit', winnings));
      await expectTodaysBalance(wallet, exchange);
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-first',
    rule: 'Winnings that come before the credit of 0 that closes their round are paid, and it is closed after them.',
    async run(wallet) {
      const last = await openFreeRound(wallet);
      const winnings = winningsOf(last);
      await expectBalanceChange(wallet, winnings.amount, async () => {
        expectSuccess(await wallet.call('credit', winnings));
        expectSuccess(await wallet.call('credit', creditOf(last, 0)));
      });
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-repeat',
    rule: 'The same winnings again are the same success and pay nothing more.',
    async run(wallet) {
      const winnings = winningsOf(await playFreeRound(wallet));
      expectSuccess(await wallet.call('credit', winnings));
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('credit', winnings)));
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-at-once',
    rule: 'The same winnings several times at the same moment are paid once.',
    async run(wallet) {
      const winnings = winningsOf(await playFreeRound(wallet));
      await expectBalanceChange(wallet, winnings.amount, () =>
        expectOneOfCopies(wallet, { route: 'credit', body: winnings }),
      );
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-other-content',
    rule: 'The transactionID of winnings with another grantID or round, or without grantClosed, is ERR_DUP.',
    async run(wallet) {
      const [last, other] = [await playFreeRound(wallet), await playFreeRound(wallet)];
      const winnings = winningsOf(last);
      expectSuccess(await wallet.call('credit', winnings));
      const { grantClosed, ...without } = winnings;
      const { transactionID } = winnings;
      const changed: CreditRequest[] = [
        { ...winnings, grantID: other.grantID },
        { ...winningsOf(other), transactionID },
        without,
      ];
      await expectNoBalanceChange(wallet, async () => {
        for (const each of changed) expectRefusal(await wallet.call('credit', each), ['ERR_DUP']);
      });
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-once',
    rule: 'Winnings of a grant that was paid, with another transactionID, are ERR_VAL and pay nothing.',
    async run(wallet) {
      const first = await playFreeRound(wallet);
      const last = await playFreeRound(wallet, first.grantID);
      expectSuccess(await wallet.call('credit', winningsOf(last)));
      await expectNoBalanceChange(wallet, async () => {
        for (const each of [last, first]) expectRefusal(await wallet.call('credit', winningsOf(each)), ['ERR_VAL']);
      });
      await loseWin(wallet);
    },
  },
  {
    id: 'free.winnings-not-owed',
    rule: 'Winnings of a paid debit, of the grant of another debit, or of another player are ERR_VAL and pay nothing.',
    async run(wallet) {
      const [free, paid] = [await playFreeRound(wallet), await openRound(wallet)];
      const winnings: CreditRequest[] = [
        winningsOf(paid),
        { ...winningsOf(paid), grantID: free.grantID },
        { ...winningsOf(free), grantID: newGrantID() },
        { ...winningsOf(free), playerID: `nobody-${randomUUID()}` },
      ];
      await expectNoBalanceChange(wallet, async () => {
        for (const each of winnings) expectRefusal(await wallet.call('credit', each), ['ERR_VAL']);
      });
    },
  },
];

/** They are for a wallet that knows free rounds. */
export const FREE_ROUND_RULES: readonly WalletRule[] = [...DEBIT_RULES, ...CREDIT_RULES, ...WINNINGS_RULES];
