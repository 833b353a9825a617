import type { WalletErrorCode } from '@roundhouse/contract';
import type { Refusal, Refused } from '../../ledger/refusal.ts';
import type { WalletAnswer } from './walletClient.ts';

/** What an operator's refusal means for the player. Total by its type. The last five say that something is wrong between us and the operator. */
const REFUSALS: Readonly<Record<WalletErrorCode, Refusal>> = {
  ERR_IPB: 'balance',
  ERR_IS: 'session',
  ERR_ATE: 'login',
  ERR_GLE: 'operator_limit',
  ERR_LOC: 'location',
  ERR_MAINTENANCE: 'operator_maintenance',
  ERR_VAL: 'wallet_refused',
  ERR_DUP: 'wallet_refused',
  ERR_BNF: 'wallet_refused',
  ERR_GE: 'wallet_refused',
  ERR_UE: 'wallet_uncertain',
};

export function walletRefusal(answer: Exclude<WalletAnswer, { kind: 'accepted' }>): Refused {
  if (answer.kind === 'not_sent') return { ok: false, refusal: 'wallet_down' };
  return { ok: false, refusal: answer.kind === 'uncertain' ? 'wallet_uncertain' : REFUSALS[answer.code] };
}
