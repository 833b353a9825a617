import { type DebitRequest, MAX_MICROS } from '@roundhouse/contract';
import { expectNoBalanceChange, expectRefusal } from './expectations.ts';
import { newDebit } from './requests.ts';
import type { WalletRule } from './walletUnderTest.ts';

/** Those without which no wallet can book a debit rightly. */
const NEEDED_FIELDS = ['transactionID', 'roundID', 'sessionID', 'playerID', 'currency', 'amount'] as const;

/** None of these bodies is a debit: each must be ERR_VAL and take nothing. `bodiesOf` makes them from a good one. */
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

/** The amount as it is written in JSON, since not every one of these is a number that JavaScript holds. */
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
