import { toMicros } from '@roundhouse/contract';
import type { StatementRow } from '../ledger/statement.ts';

/** An entry of the statement as the lobby page reads it. */
export function wireEntry({ id, at, kind, amount, balanceAfter, transactionID, roundID, gameID }: StatementRow) {
  return {
    id: String(id),
    at: at.toISOString(),
    kind,
    amount: toMicros(amount),
    balanceAfter: toMicros(balanceAfter),
    transactionID,
    roundID,
    gameID,
  };
}
