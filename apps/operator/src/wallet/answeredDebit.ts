import type { CreditRequest, RollbackRequest } from '@roundhouse/contract';
import type { KnownMovement } from '../ledger/movements.ts';

/** Whether a credit or rollback speaks of the round, player, game and currency of the debit that it names. */
export function belongsTo(debit: KnownMovement, answer: CreditRequest | RollbackRequest): boolean {
  return (
    debit.kind === 'debit' &&
    debit.roundID === answer.roundID &&
    debit.playerID === answer.playerID &&
    debit.gameID === answer.gameID &&
    debit.currency === answer.currency
  );
}
