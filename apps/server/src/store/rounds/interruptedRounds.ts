import { type CurrencyCode, type Micros, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import type { StoredAmounts } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';

/** The player has left this round. */
export type InterruptedRound = {
  roundID: bigint;
  operatorCode: string;
  /** The operator knows the player by this name. */
  externalID: string;
  gameID: string;
  currency: CurrencyCode;
  /** What the bet costs: the player, or for a free round the operator. */
  debit: Micros;
  /** The operator gave its free round under this id; null for a round that the player pays. */
  grantID: string | null;
  payout: Micros;
  /** The player did something in it last at this time; a completed one was opened then. */
  activeAt: Date;
  /** The server completes it then; null for never. */
  dueAt: Date | null;
  /** The server has completed it then; null while it is open. */
  completedAt: Date | null;
};

type Row = StoredAmounts<InterruptedRound, 'debit' | 'payout'>;

/**
 * Lists open rounds that wait for their players for an hour at least, and rounds of the last days
 * that the server has completed; of each the oldest, at most `limit`.
 */
export async function listInterruptedRounds(
  db: Database,
  { days, limit }: { days: number; limit: number },
): Promise<InterruptedRound[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT r."roundID", o.code AS "operatorCode", p.external_id AS "externalID", g.code AS "gameID", a.currency,
      r.debit, r.payout,
      (SELECT gr.external_id FROM rounds f JOIN grants gr ON gr.id = f.grant_id WHERE f.id = r."roundID") AS "grantID",
      r."activeAt", r."dueAt", r."completedAt"
    FROM (
      (SELECT round_id AS "roundID", account_id, game_id, debit_micros AS debit, payout_micros AS payout,
        active_at AS "activeAt", due_at AS "dueAt", NULL::timestamptz AS "completedAt"
      FROM interrupted_rounds
      ORDER BY active_at LIMIT ${limit})
      UNION ALL
      (SELECT id, account_id, game_id, debit_micros, payout_micros, opened_at, NULL, auto_completed_at
      FROM rounds
      WHERE opened_at >= now() - ${days} * interval '1 day' AND auto_completed_at IS NOT NULL
      ORDER BY id LIMIT ${limit})
    ) r
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    JOIN players p ON p.id = a.player_id
    JOIN games g ON g.id = r.game_id
    ORDER BY r."activeAt"`;
  return rows.map((row) => ({ ...row, debit: toMicros(row.debit), payout: toMicros(row.payout) }));
}

/** The player has left this open round. */
export type OpenInterruptedRound = Omit<InterruptedRound, 'completedAt'> & { mode: string };

type OpenWanted = {
  operatorCode?: string | undefined;
  gameID?: string | undefined;
  /** Only rounds before this one are read: the end of the previous page. */
  before: bigint | undefined;
  limit: number;
};

/**
 * Lists open rounds that wait for their players for an hour at least, the newest first. It finds
 * the open rounds in their partial index: without the list of their ids PostgreSQL might walk all
 * rounds.
 */
export async function listOpenInterruptedRounds(
  db: Pick<Database, '$queryRaw'>,
  { operatorCode, gameID, before, limit }: OpenWanted,
): Promise<OpenInterruptedRound[]> {
  const conditions = [
    Prisma.sql`i.active_at <= now() - interval '1 hour'`,
    ...(operatorCode === undefined ? [] : [Prisma.sql`op.code = ${operatorCode}`]),
    ...(gameID === undefined ? [] : [Prisma.sql`g.code = ${gameID}`]),
  ];
  const older = before === undefined ? Prisma.empty : Prisma.sql`WHERE id < ${before}`;
  const rows = await db.$queryRaw<StoredAmounts<OpenInterruptedRound, 'debit' | 'payout'>[]>`
    WITH open AS MATERIALIZED (SELECT id FROM rounds WHERE ended_at IS NULL)
    SELECT i.round_id AS "roundID", op.code AS "operatorCode", p.external_id AS "externalID", g.code AS "gameID",
      r.mode, i.currency, i.debit_micros AS debit, i.payout_micros AS payout, gr.external_id AS "grantID",
      i.active_at AS "activeAt", i.due_at AS "dueAt"
    FROM (SELECT id FROM open ${older} ORDER BY id DESC) o
    JOIN interrupted_rounds i ON i.round_id = o.id
    JOIN rounds r ON r.id = o.id
    JOIN operators op ON op.id = i.operator_id
    JOIN players p ON p.id = i.player_id
    JOIN games g ON g.id = i.game_id
    LEFT JOIN grants gr ON gr.id = i.grant_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY o.id DESC LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, debit: toMicros(row.debit), payout: toMicros(row.payout) }));
}
