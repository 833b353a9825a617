import { randomUUID } from 'node:crypto';
import { CURRENCY_CODES, type DebitRequest, MAX_MICROS } from '@roundhouse/contract';
import {
  expectMovement,
  expectNoMovement,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
  expectTwiceAtOnce,
  readBalance,
} from './expectations.ts';
import { newDebit, openRound } from './movements.ts';
import type { WalletRule } from './rule.ts';
import { NotTestable } from './verdicts.ts';

/** A debit that was taken, sent again with something changed, must be ERR_DUP and take nothing. */
function otherContent(
  id: string,
  { what, change }: { what: string; change: (debit: DebitRequest) => Partial<DebitRequest> },
): WalletRule {
  return {
    id: `debit.${id}`,
    rule: `The transactionID of a debit with ${what} is ERR_DUP and takes nothing.`,
    async run(wallet) {
      const debit = await openRound(wallet);
      const changed = { ...debit, ...change(debit) };
      await expectNoMovement(wallet, async () => expectRefusal(await wallet.call('debit', changed), ['ERR_DUP']));
    },
  };
}

export const DEBIT_RULES: readonly WalletRule[] = [
  {
    id: 'debit.exact',
    rule: 'A debit takes exactly its amount and answers the balance after it.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const exchange = await expectMovement(wallet, -debit.amount, () => wallet.call('debit', debit));
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'debit.repeat',
    rule: 'The same debit again is the same success and takes nothing more.',
    async run(wallet) {
      const debit = await openRound(wallet);
      await expectNoMovement(wallet, async () => expectSuccess(await wallet.call('debit', debit)));
    },
  },
  {
    id: 'debit.at-once',
    rule: 'The same debit twice at the same moment is taken once.',
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectMovement(wallet, -debit.amount, () => expectTwiceAtOnce(wallet, 'debit', debit));
    },
  },
  otherContent('other-amount', { what: 'another amount', change: ({ amount }) => ({ amount: amount * 2 }) }),
  otherContent('other-round', { what: 'another round', change: ({ roundID }) => ({ roundID: `${roundID}0` }) }),
  otherContent('other-currency', {
    what: 'another currency',
    change: ({ currency }) => ({ currency: CURRENCY_CODES.find((code) => code !== currency) ?? currency }),
  }),
  otherContent('other-player', {
    what: 'another player',
    change: () => ({ playerID: `nobody-${randomUUID()}` }),
  }),
  {
    id: 'debit.too-much',
    rule: 'A debit of more than the balance is ERR_IPB and takes nothing.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const balance = await readBalance(wallet);
      if (balance > MAX_MICROS - debit.amount) throw new NotTestable('no amount is larger than the balance');
      const tooMuch = { ...debit, amount: balance + debit.amount };
      await expectNoMovement(wallet, async () => expectRefusal(await wallet.call('debit', tooMuch), ['ERR_IPB']));
    },
  },
  {
    id: 'debit.unknown-session',
    rule: 'A debit of a session that is not known is ERR_IS and takes nothing.',
    async run(wallet) {
      const debit = { ...newDebit(wallet), sessionID: `unknown-${randomUUID()}` };
      await expectNoMovement(wallet, async () => expectRefusal(await wallet.call('debit', debit), ['ERR_IS']));
    },
  },
  {
    id: 'debit.unknown-fields',
    rule: 'Fields that the wallet does not know are ignored.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const more = { ...debit, fieldOfTomorrow: { nested: [1, 'two', null] } };
      await expectMovement(wallet, -debit.amount, async () => expectSuccess(await wallet.call('debit', more)));
    },
  },
];
