import { type CurrencyCode, type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';

/** A call to an operator's wallet with all that is sent, so that any node can make it. */
export type WalletCallRecord = {
  callID: string;
  kind: 'debit' | 'credit' | 'rollback';
  /** Nothing is left to be done when it is neither pending nor parked. */
  isOpen: boolean;
  /** The debit that a credit or rollback answers; of a debit its own id. */
  debitID: string;
  amount: Micros;
  reason: string | undefined;
  roundID: bigint;
  playerID: bigint;
  /** The operator's name for the player. */
  externalID: string;
  gameID: string;
  currency: CurrencyCode;
  operatorID: number;
};

type Row = {
  id: string;
  kind: WalletCallRecord['kind'];
  is_open: boolean;
  debit_id: string;
  amount_micros: bigint;
  reason: string | null;
  round_id: bigint;
  player_id: bigint;
  external_id: string;
  code: string;
  currency: string;
  operator_id: number;
};

export async function findWalletCall(db: Database, callID: string): Promise<WalletCallRecord | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT w.id, w.kind::text, w.state IN ('pending', 'parked') AS is_open, d.id AS debit_id, w.amount_micros, w.reason, w.round_id,
      r.player_id, p.external_id, g.code, a.currency, a.operator_id
    FROM wallet_calls w
    JOIN wallet_calls d ON d.round_id = w.round_id AND d.kind = 'debit'
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN players p ON p.id = r.player_id
    JOIN games g ON g.id = r.game_id
    WHERE w.id = ${callID}::uuid`;
  return (
    row && {
      callID: row.id,
      kind: row.kind,
      isOpen: row.is_open,
      debitID: row.debit_id,
      amount: toMicros(row.amount_micros),
      reason: row.reason ?? undefined,
      roundID: row.round_id,
      playerID: row.player_id,
      externalID: row.external_id,
      gameID: row.code,
      currency: row.currency as CurrencyCode,
      operatorID: row.operator_id,
    }
  );
}
