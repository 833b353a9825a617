import { balanceAfterSchema } from '@roundhouse/contract';
import { askBalance, expectSuccess, readBalance } from './expectations.ts';
import type { WalletRule } from './rule.ts';
import { faultsOf } from './shape.ts';
import { CheckFailure } from './verdicts.ts';

export const BALANCE_RULES: readonly WalletRule[] = [
  {
    id: 'balance.shape',
    rule: 'The balance is a whole number of micros.',
    async run(wallet) {
      const faults = faultsOf(balanceAfterSchema, expectSuccess(await askBalance(wallet)));
      if (faults !== undefined) throw new CheckFailure(faults);
    },
  },
  {
    id: 'balance.equal',
    rule: 'The balance is the one that authenticate tells.',
    async run(wallet) {
      const balance = await readBalance(wallet);
      const told = expectSuccess(await wallet.authenticate()).balance;
      if (told !== balance) throw new CheckFailure(`/authenticate tells ${told}, /balance ${balance}`);
    },
  },
];
