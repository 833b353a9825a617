import { randomUUID } from 'node:crypto';
import { CURRENCY_CODES, type DebitRequest, MAX_MICROS, type Micros, toMicros } from '@roundhouse/contract';
import { CheckFailure, type Exchange, NotTestable, refusalOf, successOf } from './exchange.ts';
import {
  BETS_AT_ONCE,
  callAtOnce,
  expectAllOf,
  expectBalanceChange,
  expectNoBalanceChange,
  expectOneOfCopies,
  expectRefusal,
  expectSuccess,
  expectTodaysBalance,
  newDebit,
  openRound,
  RACES,
  readBalance,
  rollBack,
} from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

/**
 * Makes the rule that a debit which was taken, sent again with something changed, is ERR_DUP and
 * takes nothing.
 */
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
      await expectNoBalanceChange(wallet, async () => expectRefusal(await wallet.call('debit', changed), ['ERR_DUP']));
    },
  };
}

/**
 * Amounts are whole bets, because a wallet need not know smaller coins. The balance covers four
 * bets.
 */
function moreThanHalf(balance: number, bet: number): Micros {
  return toMicros((Math.floor(balance / 2 / bet) + 1) * bet);
}

/** Answers the debit that was taken. */
async function expectOneCovered(wallet: WalletUnderTest, debits: readonly DebitRequest[]): Promise<DebitRequest> {
  const exchanges = await callAtOnce(
    wallet,
    debits.map((body) => ({ route: 'debit', body })),
  );
  if (exchanges.every((exchange) => refusalOf(exchange) === 'ERR_GLE'))
    throw new NotTestable('the limits of the player do not allow a debit of more than half the balance');
  const taken = debits.filter((_debit, index) => successOf(exchanges[index] as Exchange) !== undefined);
  const [debit] = taken;
  if (debit === undefined || taken.length > 1) throw new CheckFailure(`${taken.length} of the two debits were taken`);
  for (const exchange of exchanges) if (successOf(exchange) === undefined) expectRefusal(exchange, ['ERR_IPB']);
  return debit;
}

export const DEBIT_RULES: readonly WalletRule[] = [
  {
    id: 'debit.exact',
    rule: 'A debit takes exactly its amount, and its response has the balance after it.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const exchange = await expectBalanceChange(wallet, -debit.amount, () => wallet.call('debit', debit));
      await expectTodaysBalance(wallet, exchange);
    },
  },
  {
    id: 'debit.repeat',
    rule: 'The same debit again is the same success and takes nothing more.',
    async run(wallet) {
      const debit = await openRound(wallet);
      await expectNoBalanceChange(wallet, async () => expectSuccess(await wallet.call('debit', debit)));
    },
  },
  {
    id: 'debit.at-once',
    rule: 'The same debit several times at the same moment is taken once.',
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectBalanceChange(wallet, -debit.amount, () =>
        expectOneOfCopies(wallet, { route: 'debit', body: debit }),
      );
    },
  },
  {
    id: 'debit.different-at-once',
    rule: 'Different debits at the same moment are all taken: no one overwrites what another took.',
    async run(wallet) {
      for (let race = 0; race < RACES; race += 1) {
        const debits = Array.from({ length: BETS_AT_ONCE }, () => newDebit(wallet));
        await expectBalanceChange(wallet, -BETS_AT_ONCE * wallet.facts.bet, () =>
          expectAllOf(
            wallet,
            debits.map((body) => ({ route: 'debit', body })),
          ),
        );
        for (const debit of debits) await rollBack(wallet, debit);
      }
    },
  },
  {
    id: 'debit.one-covered',
    rule: 'Of two debits at the same moment that the balance covers one of, one is taken and one is ERR_IPB.',
    async run(wallet) {
      for (let race = 0; race < RACES; race += 1) {
        const amount = moreThanHalf(await readBalance(wallet), newDebit(wallet).amount);
        const debits = [newDebit(wallet), newDebit(wallet)].map((debit) => ({ ...debit, amount }));
        const taken = await expectBalanceChange(wallet, -amount, () => expectOneCovered(wallet, debits));
        await rollBack(wallet, taken);
      }
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
      await expectNoBalanceChange(wallet, async () => expectRefusal(await wallet.call('debit', tooMuch), ['ERR_IPB']));
    },
  },
  {
    id: 'debit.unknown-session',
    rule: 'A debit of a session that is not known is ERR_IS and takes nothing.',
    async run(wallet) {
      const debit = { ...newDebit(wallet), sessionID: `unknown-${randomUUID()}` };
      await expectNoBalanceChange(wallet, async () => expectRefusal(await wallet.call('debit', debit), ['ERR_IS']));
    },
  },
  {
    id: 'debit.unknown-fields',
    rule: 'Fields that the wallet does not know are ignored.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const more = { ...debit, fieldOfTomorrow: { nested: [1, 'two', null] } };
      await expectBalanceChange(wallet, -debit.amount, async () => expectSuccess(await wallet.call('debit', more)));
    },
  },
];

/** No wallet can book a debit rightly without these. */
const NEEDED_FIELDS = ['transactionID', 'roundID', 'sessionID', 'playerID', 'currency', 'amount'] as const;

/**
 * None of these bodies is a debit: each must be ERR_VAL and take nothing. `bodiesOf` makes them
 * from a good one.
 */
function invalid(
  id: string,
  { what, bodiesOf }: { what: string; bodiesOf: (debit: DebitRequest) => string[] },
): WalletRule {
  return {
    id: `debit.${id}`,
    rule: `A debit ${what} is ERR_VAL and takes nothing.`,
    async run(wallet) {
      const bodies = bodiesOf(newDebit(wallet));
      await expectNoBalanceChange(wallet, async () => {
        for (const body of bodies) expectRefusal(await wallet.callWithText('debit', body), ['ERR_VAL']);
      });
    },
  };
}

/**
 * Returns the amount as it is written in JSON, since not every one of these is a number that
 * JavaScript holds.
 */
function withAmount(debit: DebitRequest, written: string): string[] {
  return [JSON.stringify(debit).replace(/"amount":\d+/, `"amount":${written}`)];
}

function without(debit: DebitRequest, field: keyof DebitRequest): string {
  const { [field]: _, ...rest } = debit;
  return JSON.stringify(rest);
}

export const DEBIT_INPUT_RULES: readonly WalletRule[] = [
  invalid('amount-zero', { what: 'of 0', bodiesOf: (debit) => withAmount(debit, '0') }),
  invalid('amount-negative', {
    what: 'of less than 0',
    bodiesOf: (debit) => withAmount(debit, String(-debit.amount)),
  }),
  invalid('amount-fraction', {
    what: 'of a fraction of a micro',
    bodiesOf: (debit) => withAmount(debit, `${debit.amount}.5`),
  }),
  invalid('amount-text', {
    what: 'whose amount is a text',
    bodiesOf: (debit) => withAmount(debit, `"${debit.amount}"`),
  }),
  invalid('amount-too-large', {
    what: 'of more than 9007199254740991',
    bodiesOf: (debit) => withAmount(debit, String(BigInt(MAX_MICROS) + 2n)),
  }),
  invalid('missing-field', {
    what: 'that lacks a field',
    bodiesOf: (debit) => NEEDED_FIELDS.map((field) => without(debit, field)),
  }),
  invalid('broken-json', {
    what: 'that is not one JSON object',
    bodiesOf: (debit) => [JSON.stringify(debit).slice(0, -1), `[${JSON.stringify(debit)}]`, ''],
  }),
];
