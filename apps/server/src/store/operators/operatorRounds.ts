import { type CurrencyCode, type Micros, type RoundState, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { DISORDER_MS, endOfRoundsBefore, lowestRoundSince } from '../database/idsOfTime.ts';
import { column, micros, optional, type RecordOf, type RowOf, rowShape, safeNumber } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';

/** As a value and not as EXISTS, because EXISTS may read the whole table of transactions once. */
const BET_REFUSED = `coalesce((
  SELECT w.state = 'refused' FROM all_wallet_transactions w WHERE w.round_id = r.id AND w.kind = 'debit' LIMIT 1
), false)`;

/** An operator sees these facts of a round. The columns are those of OPERATOR_ROUND_TABLES. */
export const OPERATOR_ROUND = rowShape({
  roundID: column<bigint>('r.id'),
  operatorID: column<number>('a.operator_id'),
  operatorCode: column<string>('(SELECT o.code FROM operators o WHERE o.id = a.operator_id)'),
  /** The operator knows the player by this name. */
  externalID: column<string>('p.external_id'),
  gameID: column<string>('g.code'),
  gameVersion: column<string>('v.version'),
  mode: column<string>('r.mode'),
  currency: column<CurrencyCode>('a.currency'),
  amount: micros('r.amount_micros'),
  /** The player paid this for the bet: 0 for a free round. */
  debit: micros('CASE WHEN r.grant_id IS NULL THEN r.debit_micros ELSE 0 END'),
  /** A free round has its grant, by the operator's id, and what its bet would have cost. */
  free: {
    sql: `(SELECT json_build_object('grantID', gr.external_id, 'bet', r.debit_micros) FROM grants gr WHERE gr.id = r.grant_id)`,
    read: (stored: { grantID: string; bet: number } | null): { grantID: string; bet: Micros } | undefined =>
      stored === null ? undefined : { ...stored, bet: toMicros(stored.bet) },
  },
  /** A void round has the payout that it would have paid. */
  payout: micros('r.payout_micros'),
  /** A round with a pending debit is open. A lost round with a pending credit of 0 is settled. */
  state: column<RoundState>(
    `CASE WHEN r.wallet_state = 'void' THEN 'void' WHEN r.ended_at IS NULL THEN 'open' ELSE 'settled' END`,
  ),
  /** The operator has refused the bet of the void round: nothing was taken. */
  isRefused: column<boolean>(`CASE WHEN r.wallet_state = 'void' THEN ${BET_REFUSED} ELSE false END`),
  openedAt: column<Date>('r.opened_at'),
  closedAt: column<Date | null>('r.ended_at'),
  /** The server completed it then, because its player had left it. */
  autoCompletedAt: column<Date | null>('r.auto_completed_at'),
  /** The round is open, and nothing has happened in it for an hour. */
  isInterrupted: column<boolean>(
    `CASE WHEN r.ended_at IS NULL THEN
      EXISTS (SELECT FROM interrupted_rounds i WHERE i.round_id = r.id AND i.active_at <= now() - interval '1 hour')
    ELSE false END`,
  ),
  sessionRowID: column<bigint>('r.session_id'),
  /**
   * The session had this country when the round was opened. Where it was unknown, and for rounds
   * that an earlier version opened, it is that of the session, else of the account.
   */
  country: column<string | null>('coalesce(r.country, s.country, a.country)'),
  bookID: safeNumber('r.book_id'),
  /** Hundredths. */
  payoutMultiplier: column<bigint>('r.payout_multiplier'),
  /** A fair draw has these seeds, and this number under the server seed. */
  fairness: optional<{ serverSeedHash: string; clientSeed: string; nonce: number }>(
    `CASE WHEN r.fair_seed_id IS NOT NULL THEN (
      SELECT json_build_object(
        'serverSeedHash', encode(f.server_seed_sha256, 'hex'), 'nonce', r.fair_nonce, 'clientSeed', (
        SELECT c.client_seed FROM fair_client_seeds c
        WHERE c.seed_id = f.id AND c.from_nonce <= r.fair_nonce ORDER BY c.from_nonce DESC LIMIT 1
      )) FROM fair_seeds f WHERE f.id = r.fair_seed_id
    ) END`,
  ),
});
export type OperatorRoundRecord = RecordOf<typeof OPERATOR_ROUND>;
type RoundRow = RowOf<typeof OPERATOR_ROUND>;

export const OPERATOR_ROUND_TABLES = `JOIN accounts a ON a.id = r.account_id
  JOIN players p ON p.id = r.player_id
  JOIN game_versions v ON v.id = r.game_version_id
  JOIN games g ON g.id = v.game_id
  LEFT JOIN sessions s ON s.id = r.session_id`;

/** Staff tell a void round whose bet was taken (`voided`) from one whose bet was `refused`. */
type WantedState = RoundState | 'refused' | 'voided';

export type RoundsWanted = {
  /** undefined: the rounds of all operators. */
  operatorID: number | undefined;
  /** The operator knows the player by this name. */
  externalID: string | undefined;
  gameID: string | undefined;
  /** Rounds were opened at this instant or later. */
  from: Date | undefined;
  /** Rounds were opened before this instant. */
  to: Date | undefined;
  state: WantedState | undefined;
  limit: number;
  /** Only rounds with a lower id are read: the id is the end of the previous page. */
  before: bigint | undefined;
  /** The largest number of ids that one page reads. */
  span?: number;
};

/** The next page begins at `next`; undefined when there is none. */
export type RoundsPage = { rounds: OperatorRoundRecord[]; next: bigint | undefined };

/**
 * It bounds the cost of a page, however many rounds there are: a page that has found too few by
 * then ends, and the next one goes on. A million ids take less than a second.
 */
const MOST_IDS_A_PAGE = 1_000_000;

/** Lists the rounds of an operator, or of all, newest first. */
export async function listRounds(db: Database, wanted: RoundsWanted): Promise<RoundsPage> {
  return wanted.externalID === undefined ? walkDown(db, wanted) : ofPlayer(db, wanted, wanted.externalID);
}

/**
 * Reads down the primary key between the ids of the time range. The key has the order of time, but
 * rounds of players that have moved here are together.
 */
async function walkDown(db: Database, wanted: RoundsWanted): Promise<RoundsPage> {
  const { operatorID, gameID, limit, before, from, to, span = MOST_IDS_A_PAGE } = wanted;
  const [lowest, end] = await Promise.all([
    from === undefined ? 1n : lowestRoundSince(db, new Date(from.getTime() - DISORDER_MS)),
    endOfRoundsBefore(db, to && new Date(to.getTime() + DISORDER_MS)),
  ]);
  const high = before !== undefined && before < end ? before : end;
  const low = high - BigInt(span) > lowest ? high - BigInt(span) : lowest;
  if (high <= low) return { rounds: [], next: undefined };
  const ofOperator = operatorID === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operatorID}`;
  const ofGame =
    gameID === undefined ? Prisma.empty : Prisma.sql`AND r.game_id = (SELECT id FROM games WHERE code = ${gameID})`;
  const rows = await db.$queryRaw<RoundRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND.columns)}
    FROM (
      SELECT r.*
      FROM all_rounds r
      JOIN accounts a ON a.id = r.account_id
      WHERE r.id >= ${low} AND r.id < ${high} ${ofOperator} ${ofGame} ${conditions(wanted)}
      ORDER BY r.id DESC LIMIT ${limit + 1}
    ) r
    ${Prisma.raw(OPERATOR_ROUND_TABLES)}
    ORDER BY r.id DESC`;
  const walkedTo = rows.length > limit || low <= lowest ? undefined : await endOfRoundsIn(db, { lowest, below: low });
  return page(rows, { limit, walkedTo });
}

/**
 * Returns the end of the rounds below: between two numbers of a cell there are millions of pages
 * without any.
 */
async function endOfRoundsIn(
  db: Database,
  { lowest, below }: { lowest: bigint; below: bigint },
): Promise<bigint | undefined> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id
    FROM all_rounds
    WHERE id >= ${lowest} AND id < ${below}
    ORDER BY id DESC LIMIT 1`;
  return row && row.id + 1n;
}

/** An index holds the rounds of each account and game together; the newest of each are merged. */
async function ofPlayer(db: Database, wanted: RoundsWanted, externalID: string): Promise<RoundsPage> {
  const { operatorID, gameID, limit, before } = wanted;
  // The index of players begins with the operator: there are few of those.
  const ofOperator = operatorID === undefined ? Prisma.empty : Prisma.sql`WHERE id = ${operatorID}`;
  const ofGame = gameID === undefined ? Prisma.empty : Prisma.sql`WHERE g.code = ${gameID}`;
  const from = before === undefined ? Prisma.empty : Prisma.sql`AND r.id < ${before}`;
  const rows = await db.$queryRaw<RoundRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND.columns)}
    FROM (SELECT id FROM operators ${ofOperator}) named
    JOIN players p ON p.operator_id = named.id AND p.external_id = ${externalID}
    JOIN accounts a ON a.player_id = p.id
    CROSS JOIN (SELECT id, code FROM games g ${ofGame}) g
    CROSS JOIN LATERAL (
      SELECT *
      FROM all_rounds r
      WHERE r.account_id = a.id AND r.game_id = g.id ${from} ${conditions(wanted)}
      ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT ${limit + 1}
    ) r
    JOIN game_versions v ON v.id = r.game_version_id
    LEFT JOIN sessions s ON s.id = r.session_id
    ORDER BY r.id DESC LIMIT ${limit + 1}`;
  return page(rows, { limit, walkedTo: undefined });
}

function conditions({ from, to, state }: RoundsWanted): Prisma.Sql {
  const since = from === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at >= ${from}`;
  const until = to === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at < ${to}`;
  return Prisma.sql`${since} ${until} ${state === undefined ? Prisma.empty : STATES[state]}`;
}

const STATES: Readonly<Record<WantedState, Prisma.Sql>> = {
  open: Prisma.sql`AND r.ended_at IS NULL AND r.wallet_state IS DISTINCT FROM 'void'`,
  settled: Prisma.sql`AND r.ended_at IS NOT NULL AND r.wallet_state IS DISTINCT FROM 'void'`,
  void: Prisma.sql`AND r.wallet_state = 'void'`,
  refused: Prisma.sql`AND r.wallet_state = 'void' AND ${Prisma.raw(BET_REFUSED)}`,
  voided: Prisma.sql`AND r.wallet_state = 'void' AND NOT ${Prisma.raw(BET_REFUSED)}`,
};

/** One row more than the limit means that there is another page. */
function page(
  rows: readonly RoundRow[],
  { limit, walkedTo }: { limit: number; walkedTo: bigint | undefined },
): RoundsPage {
  const rounds = rows.slice(0, limit).map(OPERATOR_ROUND.read);
  return { rounds, next: rows.length > limit ? rounds.at(-1)?.roundID : walkedTo };
}
