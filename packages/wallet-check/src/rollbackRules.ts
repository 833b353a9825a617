import {
  expectBalanceChange,
  expectCertain,
  expectCertainRefusal,
  expectNoBalanceChange,
  expectOneOfCopies,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
} from './expectations.ts';
import { newDebit, openRound, rollbackOf } from './requests.ts';
import type { WalletRule } from './walletUnderTest.ts';

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
