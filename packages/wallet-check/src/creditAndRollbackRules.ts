import { type CreditRequest, toMicros } from '@roundhouse/contract';
import {
  creditOf,
  expectAllOf,
  expectBalanceChange,
  expectCertain,
  expectCertainRefusal,
  expectNoBalanceChange,
  expectOneOfCopies,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
  newDebit,
  openRound,
  RACES,
  rollBack,
  rollbackOf,
} from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

/** Plays a round that pays twice its bet, so that the player gets a losing round's bet back. */
async function playWinningRound(wallet: WalletUnderTest): Promise<void> {
  const debit = await openRound(wallet);
  expectSuccess(await wallet.call('credit', creditOf(debit, debit.amount * 2)));
}

export const CREDIT_RULES: readonly WalletRule[] = [
  {
    id: 'credit.exact',
    rule: 'A credit adds exactly its amount, and its response has the balance after it.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const credit = creditOf(debit, debit.amount);
      const exchange = await expectBalanceChange(wallet, credit.amount, () => wallet.call('credit', credit));
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'credit.repeat',
    rule: 'The same credit again is the same success and adds nothing more.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const credit = creditOf(debit, debit.amount);
      expectSuccess(await wallet.call('credit', credit));
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('credit', credit)));
    },
  },
  {
    id: 'credit.at-once',
    rule: 'The same credit several times at the same moment is added once.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const credit = creditOf(debit, debit.amount);
      await expectBalanceChange(wallet, credit.amount, () =>
        expectOneOfCopies(wallet, { route: 'credit', body: credit }),
      );
    },
  },
  {
    id: 'credit.beside-debit',
    rule: 'A credit and a debit at the same moment both count: neither overwrites what the other moved.',
    async run(wallet) {
      for (let race = 0; race < RACES; race += 1) {
        const paid = await openRound(wallet);
        const credit = creditOf(paid, paid.amount);
        // It happens twice, since two transactions that cancel each other look like none.
        const debit = { ...newDebit(wallet), amount: toMicros(paid.amount * 2) };
        await expectBalanceChange(wallet, credit.amount - debit.amount, () =>
          expectAllOf(wallet, [
            { route: 'credit', body: credit },
            { route: 'debit', body: debit },
          ]),
        );
        await rollBack(wallet, debit);
      }
    },
  },
  {
    id: 'credit.other-content',
    rule: 'The transactionID of a credit with another amount, round or debit is ERR_DUP and adds nothing.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const another = await openRound(wallet);
      const credit = creditOf(debit, debit.amount);
      expectSuccess(await wallet.call('credit', credit));
      const changes: Partial<CreditRequest>[] = [
        { amount: credit.amount * 2 },
        { roundID: `${credit.roundID}0` },
        { debitTransactionID: another.transactionID },
      ];
      await expectNoBalanceChange(wallet, async () => {
        for (const change of changes) {
          expectRefusal(await wallet.call('credit', { ...credit, ...change }), ['ERR_DUP']);
        }
      });
    },
  },
  {
    id: 'credit.zero',
    rule: 'A losing round is closed with a credit of 0, which is accepted and moves nothing.',
    async run(wallet) {
      const debit = await openRound(wallet);
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('credit', creditOf(debit, 0))));
      await playWinningRound(wallet);
    },
  },
  {
    id: 'credit.unknown-debit',
    rule: 'A credit for a debit that is not known is refused for certain (ERR_BNF) and adds nothing.',
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectNoBalanceChange(wallet, async () =>
        expectCertainRefusal(await wallet.call('credit', creditOf(debit, debit.amount))),
      );
    },
  },
];

export const ROLLBACK_RULES: readonly WalletRule[] = [
  {
    id: 'rollback.exact',
    rule: 'A rollback returns exactly what its debit took, and its response has the balance after it.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const exchange = await expectBalanceChange(wallet, debit.amount, () =>
        wallet.call('rollback', rollbackOf(debit)),
      );
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'rollback.repeat',
    rule: 'The same rollback again is the same success and returns nothing more.',
    async run(wallet) {
      const rollback = rollbackOf(await openRound(wallet));
      expectSuccess(await wallet.call('rollback', rollback));
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('rollback', rollback)));
    },
  },
  {
    id: 'rollback.at-once',
    rule: 'The same rollback several times at the same moment returns the amount once.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const rollback = rollbackOf(debit);
      await expectBalanceChange(wallet, debit.amount, () =>
        expectOneOfCopies(wallet, { route: 'rollback', body: rollback }),
      );
    },
  },
  {
    id: 'rollback.given-back-once',
    rule: 'Another rollback of a debit that was rolled back is accepted or refused for certain, and returns nothing more.',
    async run(wallet) {
      const debit = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
      await expectNoBalanceChange(wallet, async () => expectCertain(await wallet.call('rollback', rollbackOf(debit))));
    },
  },
  {
    id: 'rollback.other-content',
    rule: 'The transactionID of a rollback with another debit is ERR_DUP and returns nothing.',
    async run(wallet) {
      const rollback = rollbackOf(await openRound(wallet));
      const another = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollback));
      const changed = { ...rollbackOf(another), transactionID: rollback.transactionID };
      await expectNoBalanceChange(wallet, async () =>
        expectRefusal(await wallet.call('rollback', changed), ['ERR_DUP']),
      );
    },
  },
  {
    id: 'rollback.unknown-debit',
    rule: 'A rollback of a debit that is not known is ERR_BNF and moves nothing.',
    async run(wallet) {
      const rollback = rollbackOf(newDebit(wallet));
      await expectNoBalanceChange(wallet, async () =>
        expectRefusal(await wallet.call('rollback', rollback), ['ERR_BNF']),
      );
    },
  },
  {
    id: 'rollback.late-debit',
    rule: 'A debit that comes after its rollback is refused for certain and takes nothing.',
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectNoBalanceChange(wallet, async () => {
        await wallet.call('rollback', rollbackOf(debit));
        expectCertainRefusal(await wallet.call('debit', debit));
      });
    },
  },
  {
    id: 'rollback.debit-again',
    rule: 'A debit that was rolled back is not taken again.',
    async run(wallet) {
      const debit = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
      await expectNoBalanceChange(wallet, async () => expectCertain(await wallet.call('debit', debit)));
    },
  },
];
