import type { DebitRequest } from '@roundhouse/contract';
import {
  creditOf,
  expectBalanceChange,
  expectNoBalanceChange,
  expectRefusal,
  expectSuccess,
  newDebit,
  rollbackOf,
} from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

function newClosingDebit(wallet: WalletUnderTest): DebitRequest {
  return { ...newDebit(wallet), roundClosed: true };
}

/** They are for a wallet that takes a debit that closes its lost round. */
export const CLOSING_DEBIT_RULES: readonly WalletRule[] = [
  {
    id: 'lost.closed',
    rule: 'A debit with roundClosed takes its amount and closes its round: a credit for it is ERR_VAL and pays nothing.',
    async run(wallet) {
      const debit = newClosingDebit(wallet);
      await expectBalanceChange(wallet, -debit.amount, async () => {
        expectSuccess(await wallet.call('debit', debit));
        expectRefusal(await wallet.call('credit', creditOf(debit, debit.amount)), ['ERR_VAL']);
      });
    },
  },
  {
    id: 'lost.content',
    rule: 'The same debit with roundClosed again is the same success; without roundClosed it is ERR_DUP.',
    async run(wallet) {
      const { roundClosed, ...open } = newClosingDebit(wallet);
      const debit = { ...open, roundClosed };
      expectSuccess(await wallet.call('debit', debit));
      await expectNoBalanceChange(wallet, async () => {
        expectSuccess(await wallet.call('debit', debit));
        expectRefusal(await wallet.call('debit', open), ['ERR_DUP']);
      });
    },
  },
  {
    id: 'lost.rollback',
    rule: 'A rollback of a debit that closed its round returns what it took.',
    async run(wallet) {
      const debit = newClosingDebit(wallet);
      await expectNoBalanceChange(wallet, async () => {
        expectSuccess(await wallet.call('debit', debit));
        expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
      });
    },
  },
];
