import { type CurrencyCode, type Micros, type RoundState, toMicros } from '@roundhouse/contract';

/** A round as its operator sees it. */
export type OperatorRoundRecord = {
  roundID: bigint;
  /** The operator's name for the player. */
  externalID: string;
  gameID: string;
  gameVersion: string;
  mode: string;
  currency: CurrencyCode;
  amount: Micros;
  debit: Micros;
  /** Of a void round: what it would have paid. */
  payout: Micros;
  state: RoundState;
  openedAt: Date;
  closedAt: Date | null;
};

export type OperatorRoundRow = {
  id: bigint;
  external_id: string;
  game: string;
  version: string;
  mode: string;
  currency: string;
  amount_micros: bigint;
  debit_micros: bigint;
  payout_micros: bigint;
  is_void: boolean;
  opened_at: Date;
  closed_at: Date | null;
};

/** What the two statements about an operator's rounds read alike. */
export const OPERATOR_ROUND_COLUMNS = `r.id, p.external_id, g.code AS game, v.version, r.mode, a.currency, r.amount_micros, r.debit_micros,
  r.payout_micros, r.wallet_state IS NOT DISTINCT FROM 'void' AS is_void, r.opened_at, r.closed_at`;

export function operatorRound(row: OperatorRoundRow): OperatorRoundRecord {
  return {
    roundID: row.id,
    externalID: row.external_id,
    gameID: row.game,
    gameVersion: row.version,
    mode: row.mode,
    currency: row.currency as CurrencyCode,
    amount: toMicros(row.amount_micros),
    debit: toMicros(row.debit_micros),
    payout: toMicros(row.payout_micros),
    state: stateOf(row),
    openedAt: row.opened_at,
    closedAt: row.closed_at,
  };
}

/** A round whose debit is still asked for counts as open; one whose losing is still being told to the operator as settled. */
function stateOf({ is_void, closed_at }: OperatorRoundRow): RoundState {
  if (is_void) return 'void';
  return closed_at === null ? 'open' : 'settled';
}
