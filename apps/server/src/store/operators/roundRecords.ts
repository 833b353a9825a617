import type { Database } from '../database/database.ts';
import { DISORDER_MS, endOfRoundsBefore, lowestRoundSince, lowestTransferSince } from '../database/idsOfTime.ts';
import { nullableMicros, type RecordOf, type RowOf, rowShape } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import { OPERATOR_ROUND, OPERATOR_ROUND_TABLES } from './operatorRounds.ts';

/** An auditor reads this record of a round. The further columns are those of declareCursor. */
const ROUND_RECORD = rowShape({
  ...OPERATOR_ROUND.members,
  /**
   * The account had these balances just before the bet, and just after the last transfer of the
   * round: its payout or refund, else its bet. A free round without one has the same balance twice:
   * the winnings of a grant belong to no round. An operator's wallet gave them in its responses.
   * They are null where it gave none; the second one also while the round is open.
   */
  balanceBefore: nullableMicros(`coalesce(
    b.balance_before, r.balance_before_micros,
    CASE WHEN d.reported_balance_micros <= 9007199254740991 - d.amount_micros
      THEN d.reported_balance_micros + d.amount_micros END
  )`),
  balanceAfter: nullableMicros(
    'CASE WHEN r.ended_at IS NOT NULL THEN coalesce(b.balance_after, last.reported_balance_micros, r.balance_before_micros) END',
  ),
});
export type RoundRecord = RecordOf<typeof ROUND_RECORD>;

/** Each narrows the records; without any they are all rounds of the database. */
export type RecordsWanted = {
  operatorCode?: string | undefined;
  /** The operator knows the player by this name. */
  externalID?: string | undefined;
  gameID?: string | undefined;
  /** Rounds were opened at this instant or later. */
  from?: Date | undefined;
  /** Rounds were opened before this instant. */
  to?: Date | undefined;
};

/** The database has none of this name. */
export type RecordsRefusal = 'operator' | 'player' | 'game';
export type RecordsOutcome = { ok: true; rounds: number } | { ok: false; unknown: RecordsRefusal };

const ROWS_A_PAGE = 1_000;
/** The longest export is a year of rounds, which may take hours to write. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * Reads all records in the order of their ids, from one snapshot, through a cursor: a page is in
 * memory at a time, and the next one is read when `onPage` is done with it.
 */
export async function readRoundRecords(
  db: Database,
  wanted: RecordsWanted,
  onPage: (records: RoundRecord[]) => Promise<void>,
  rowsAPage = ROWS_A_PAGE,
): Promise<RecordsOutcome> {
  return db.$transaction(
    async (tx) => {
      const scope = await findScope(tx, wanted);
      if ('unknown' in scope) return { ok: false, unknown: scope.unknown };
      await declareCursor(tx, wanted, scope);
      let rounds = 0;
      for (;;) {
        const rows = await tx.$queryRawUnsafe<RowOf<typeof ROUND_RECORD>[]>(`FETCH ${rowsAPage} FROM records`);
        if (rows.length > 0) await onPage(rows.map(ROUND_RECORD.read));
        rounds += rows.length;
        if (rows.length < rowsAPage) return { ok: true, rounds };
      }
    },
    { isolationLevel: 'RepeatableRead', timeout: LONGEST_MS },
  );
}

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];
type Scope = { accounts: Prisma.Sql; ofAccounts: Prisma.Sql; ofGame: Prisma.Sql };

/** Finds the conditions on accounts and rounds. */
async function findScope(
  tx: Transaction,
  { operatorCode: code, externalID, gameID }: RecordsWanted,
): Promise<Scope | { unknown: RecordsRefusal }> {
  const operator = code === undefined ? undefined : await tx.operator.findUnique({ where: { code } });
  if (operator === null) return { unknown: 'operator' };
  const game = gameID === undefined ? undefined : await tx.game.findUnique({ where: { code: gameID } });
  if (game === null) return { unknown: 'game' };
  const ofGame = game === undefined ? Prisma.empty : Prisma.sql`AND r.game_id = ${game.id}`;
  if (externalID === undefined) {
    const ofOperator = operator === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operator.id}`;
    return { accounts: ofOperator, ofAccounts: ofOperator, ofGame };
  }
  const players = await tx.player.findMany({
    where: { externalId: externalID, ...(operator && { operatorId: operator.id }) },
    select: { accounts: { select: { id: true } } },
  });
  if (players.length === 0) return { unknown: 'player' };
  const ids = players.flatMap(({ accounts }) => accounts.map(({ id }) => id));
  return {
    accounts: Prisma.sql`AND a.id = ANY (${ids}::bigint[])`,
    ofAccounts: Prisma.sql`AND r.account_id = ANY (${ids}::bigint[])`,
    ofGame,
  };
}

/**
 * The house wallet stores transfers and the current balance. An account is locked while it pays, so
 * its transfers have the order of their ids: the balance after one of them is the current one
 * without all later ones. So nothing is read of the time before `from`. A credit of 0 changes no
 * balance, and may be sent after later bets: its response is not read.
 */
async function declareCursor(tx: Transaction, { from, to }: RecordsWanted, scope: Scope): Promise<void> {
  const earliest = from && new Date(from.getTime() - DISORDER_MS);
  const lowest = earliest === undefined ? 1n : await lowestRoundSince(tx, earliest);
  const end = await endOfRoundsBefore(tx, to && new Date(to.getTime() + DISORDER_MS));
  const firstTransfer = earliest === undefined ? 1n : await lowestTransferSince(tx, earliest);
  const since = from === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at >= ${from}`;
  const until = to === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at < ${to}`;
  // All rows are wanted, and the plan that finds the first one soonest takes longer for them.
  await tx.$executeRaw`SET LOCAL cursor_tuple_fraction = 1`;
  // Parameters of a cursor's statement are those of its declaration.
  await tx.$executeRaw`
    DECLARE records NO SCROLL CURSOR FOR
    SELECT ${Prisma.raw(ROUND_RECORD.columns)}
    FROM all_rounds r
    ${Prisma.raw(OPERATOR_ROUND_TABLES)}
    LEFT JOIN (
      SELECT round_id, (max(balance - amount) FILTER (WHERE kind = 'bet'))::bigint AS balance_before,
        coalesce(max(balance) FILTER (WHERE kind <> 'bet'), max(balance))::bigint AS balance_after
      FROM (
        SELECT m.round_id, m.kind, m.amount,
          a.balance_micros - coalesce(sum(m.amount) OVER (
            PARTITION BY a.id ORDER BY m.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
          ), 0) AS balance
        FROM (
          SELECT id, kind, round_id, from_account_id AS account_id, -amount_micros AS amount
          FROM all_transfers
          WHERE kind IN ('bet', 'withdrawal') AND id >= ${firstTransfer}
          UNION ALL
          SELECT id, kind, round_id, to_account_id, amount_micros
          FROM all_transfers
          WHERE kind NOT IN ('bet', 'withdrawal') AND id >= ${firstTransfer}
        ) m
        JOIN accounts a ON a.id = m.account_id
        WHERE a.kind = 'player' ${scope.accounts}
      ) t
      WHERE round_id IS NOT NULL AND kind <> 'winnings'
      GROUP BY round_id
    ) b ON b.round_id = r.id
    LEFT JOIN all_wallet_transactions d ON d.round_id = r.id AND d.kind = 'debit'
    LEFT JOIN all_wallet_transactions last ON last.round_id = r.id AND last.kind = CASE
      WHEN r.wallet_state = 'void' THEN 'rollback'
      WHEN coalesce(r.credit_micros, r.payout_micros) > 0 THEN 'credit'
      ELSE 'debit'
    END::wallet_transaction_kind
    WHERE r.id >= ${lowest} AND r.id < ${end} ${scope.ofAccounts} ${scope.ofGame} ${since} ${until}
    ORDER BY r.id`;
}
