import {
  expectCertain,
  expectCertainRefusal,
  expectMovement,
  expectNoMovement,
  expectOneOfCopies,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
} from './expectations.ts';
import { newDebit, openRound, rollbackOf } from './movements.ts';
import type { WalletRule } from './rule.ts';

export const ROLLBACK_RULES: readonly WalletRule[] = [
  {
    id: 'rollback.exact',
    rule: 'A rollback gives back exactly what its debit took and answers the balance after it.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const exchange = await expectMovement(wallet, debit.amount, () => wallet.call('rollback', rollbackOf(debit)));
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'rollback.repeat',
    rule: 'The same rollback again is the same success and gives back nothing more.',
    async run(wallet) {
      const rollback = rollbackOf(await openRound(wallet));
      expectSuccess(await wallet.call('rollback', rollback));
      await expectNoMovement(wallet, async () => expectSuccess(await wallet.call('rollback', rollback)));
    },
  },
  {
    id: 'rollback.at-once',
    rule: 'The same rollback several times at the same moment gives back once.',
    async run(wallet) {
      const debit = await openRound(wallet);
      const rollback = rollbackOf(debit);
      await expectMovement(wallet, debit.amount, () =>
        expectOneOfCopies(wallet, { route: 'rollback', body: rollback }),
      );
    },
  },
  {
    id: 'rollback.given-back-once',
    rule: 'Another rollback of a debit that was given back has a certain answer and gives back nothing more.',
    async run(wallet) {
      const debit = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
      await expectNoMovement(wallet, async () => expectCertain(await wallet.call('rollback', rollbackOf(debit))));
    },
  },
  {
    id: 'rollback.other-content',
    rule: 'The transactionID of a rollback with another debit is ERR_DUP and gives back nothing.',
    async run(wallet) {
      const rollback = rollbackOf(await openRound(wallet));
      const another = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollback));
      const changed = { ...rollbackOf(another), transactionID: rollback.transactionID };
      await expectNoMovement(wallet, async () => expectRefusal(await wallet.call('rollback', changed), ['ERR_DUP']));
    },
  },
  {
    id: 'rollback.unknown-debit',
    rule: 'A rollback of a debit that is not known is ERR_BNF and moves nothing.',
    async run(wallet) {
      const rollback = rollbackOf(newDebit(wallet));
      await expectNoMovement(wallet, async () => expectRefusal(await wallet.call('rollback', rollback), ['ERR_BNF']));
    },
  },
  {
    id: 'rollback.late-debit',
    rule: 'A debit that comes after its rollback is refused for certain and takes nothing.',
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectNoMovement(wallet, async () => {
        await wallet.call('rollback', rollbackOf(debit));
        expectCertainRefusal(await wallet.call('debit', debit));
      });
    },
  },
  {
    id: 'rollback.debit-again',
    rule: 'A debit that was given back is not taken again.',
    async run(wallet) {
      const debit = await openRound(wallet);
      expectSuccess(await wallet.call('rollback', rollbackOf(debit)));
      await expectNoMovement(wallet, async () => expectCertain(await wallet.call('debit', debit)));
    },
  },
];
