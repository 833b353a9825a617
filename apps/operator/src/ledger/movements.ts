import type { LockedAccount } from './accounts.ts';
import type { Entry } from './books.ts';

export type MovementKind = 'deposit' | 'withdrawal' | 'debit' | 'credit' | 'rollback';

const LEAVES_THE_PLAYER: Readonly<Record<MovementKind, boolean>> = {
  deposit: false,
  withdrawal: true,
  debit: true,
  credit: false,
  rollback: false,
};

/** What a movement is, whoever asks for it and however often. */
export type MovementContent = {
  transactionID: string;
  kind: MovementKind;
  amount: bigint;
  debitTransactionID?: string;
  roundID?: string;
  gameID?: string;
  mode?: string;
  roundClosed?: boolean;
};

/** Writes one row of the journal and moves the balance with it. Answers the new balance. The account is locked. */
export async function writeMovement(entry: Entry, account: LockedAccount, movement: MovementContent): Promise<bigint> {
  const { transactionID, kind, amount } = movement;
  const leaves = LEAVES_THE_PLAYER[kind];
  const otherId = kind === 'deposit' || kind === 'withdrawal' ? account.cashierId : account.houseId;
  const [fromId, toId] = leaves ? [account.id, otherId] : [otherId, account.id];
  const [row] = await entry.sql.$queryRaw<{ balance: bigint }[]>`
    WITH moved AS (
      UPDATE accounts SET balance_micros = balance_micros + ${leaves ? -amount : amount} WHERE id = ${account.id}
      RETURNING balance_micros
    )
    INSERT INTO movements (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
      balance_after_micros, debit_id, round_id, game_id, mode, round_closed)
    SELECT ${transactionID}::uuid, ${kind}::movement_kind, ${fromId}, ${toId}, ${amount}, ${account.id},
      moved.balance_micros, ${movement.debitTransactionID ?? null}::uuid, ${movement.roundID ?? null},
      ${movement.gameID ?? null}, ${movement.mode ?? null}, ${movement.roundClosed ?? null}
    FROM moved
    RETURNING balance_after_micros AS balance`;
  if (row === undefined) throw new Error(`account ${account.id} is gone`);
  entry.movedAccounts.add(account.id);
  return row.balance;
}

/** A row of the journal as it was asked for: what a repetition is compared with. */
export type KnownMovement = {
  kind: MovementKind;
  amount: bigint;
  playerID: string;
  currency: string;
  debitTransactionID: string | null;
  roundID: string | null;
  gameID: string | null;
  mode: string | null;
  roundClosed: boolean | null;
};

export async function findMovement({ sql }: Entry, transactionID: string): Promise<KnownMovement | undefined> {
  const [row] = await sql.$queryRaw<KnownMovement[]>`
    SELECT m.kind, m.amount_micros AS amount, p.external_id AS "playerID", a.currency, m.debit_id AS "debitTransactionID",
      m.round_id AS "roundID", m.game_id AS "gameID", m.mode, m.round_closed AS "roundClosed"
    FROM movements m
    JOIN accounts a ON a.id = m.player_account_id
    JOIN players p ON p.id = a.player_id
    WHERE m.transaction_id = ${transactionID}::uuid`;
  return row;
}

/** What the player has lost today (UTC) in micros: bets that were not given back, less payouts. Below zero for a lucky one. */
export async function lossOfToday({ sql }: Entry, account: LockedAccount): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ loss: bigint }[]>`
    SELECT coalesce(sum(CASE m.kind WHEN 'debit' THEN m.amount_micros WHEN 'credit' THEN -m.amount_micros END), 0)::bigint AS loss
    FROM movements m
    LEFT JOIN bets b ON b.debit_id = m.transaction_id
    WHERE m.player_account_id = ${account.id} AND m.kind IN ('debit', 'credit')
      AND m.created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
      AND b.state IS DISTINCT FROM 'given_back'`;
  return row?.loss ?? 0n;
}
