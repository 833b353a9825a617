import { ANSWER_RULES } from './answerRules.ts';
import { AUTHENTICATE_RULES } from './authenticateRules.ts';
import { BALANCE_RULES } from './balanceRules.ts';
import { CREDIT_RULES } from './creditRules.ts';
import { DEBIT_INPUT_RULES } from './debitInputRules.ts';
import { DEBIT_RULES } from './debitRules.ts';
import { ROLLBACK_RULES } from './rollbackRules.ts';
import type { WalletRule } from './rule.ts';
import { SIGNATURE_RULES } from './signatureRules.ts';
import { TRANSACTION_RULES } from './transactionRules.ts';

/** In the order in which they are checked and reported. The last two groups look back on what the others have done. */
export const WALLET_RULES: readonly WalletRule[] = [
  ...SIGNATURE_RULES,
  ...AUTHENTICATE_RULES,
  ...BALANCE_RULES,
  ...DEBIT_RULES,
  ...DEBIT_INPUT_RULES,
  ...CREDIT_RULES,
  ...ROLLBACK_RULES,
  ...TRANSACTION_RULES,
  ...ANSWER_RULES,
];
