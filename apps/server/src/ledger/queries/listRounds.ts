import type { RoundState } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { firstRoundAt } from './firstRoundAt.ts';
import {
  OPERATOR_ROUND_COLUMNS,
  type OperatorRoundRecord,
  type OperatorRoundRow,
  operatorRound,
} from './operatorRoundRow.ts';

export type RoundsWanted = {
  operatorID: number;
  /** The operator's name for the player. */
  externalID: string | undefined;
  gameID: string | undefined;
  /** Opened at this instant or later. */
  from: Date | undefined;
  /** Opened before this instant. */
  to: Date | undefined;
  state: RoundState | undefined;
  limit: number;
  /** Only rounds with a lower id: where the page before has ended. */
  before: bigint | undefined;
  /** How many ids one page walks down at most. */
  span?: number;
};

/** next: where the following page begins; undefined when there is none. */
export type RoundsPage = { rounds: OperatorRoundRecord[]; next: bigint | undefined };

/**
 * So that a page costs the same however many rounds there are: one that has found too few by then ends here, and the next
 * one goes on. A million ids take less than a second.
 */
const MOST_IDS_A_PAGE = 1_000_000;

/** Two plays at once may get their ids in another order than their times, but not by more than this. */
const DISORDER_MS = 5 * 60_000;

/** Rounds of an operator, newest first. */
export async function listRounds(db: Database, wanted: RoundsWanted): Promise<RoundsPage> {
  return wanted.externalID === undefined ? walkDown(db, wanted) : ofPlayer(db, wanted, wanted.externalID);
}

/** Down the primary key, which is the order of time too, between the ids that the time allows. */
async function walkDown(db: Database, wanted: RoundsWanted): Promise<RoundsPage> {
  const { operatorID, gameID, limit, before, from, to, span = MOST_IDS_A_PAGE } = wanted;
  const [lowest, end] = await Promise.all([
    from === undefined ? 1n : firstRoundAt(db, new Date(from.getTime() - DISORDER_MS)),
    firstRoundAt(db, to && new Date(to.getTime() + DISORDER_MS)),
  ]);
  const high = before !== undefined && before < end ? before : end;
  const low = high - BigInt(span) > lowest ? high - BigInt(span) : lowest;
  if (high <= low) return { rounds: [], next: undefined };
  const ofGame =
    gameID === undefined ? Prisma.empty : Prisma.sql`AND r.game_id = (SELECT id FROM games WHERE code = ${gameID})`;
  const rows = await db.$queryRaw<OperatorRoundRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND_COLUMNS)}
    FROM (
      SELECT r.*, a.currency FROM rounds r JOIN accounts a ON a.id = r.account_id
      WHERE r.id >= ${low} AND r.id < ${high} AND a.operator_id = ${operatorID} ${ofGame} ${conditions(wanted)}
      ORDER BY r.id DESC LIMIT ${limit + 1}
    ) r
    JOIN accounts a ON a.id = r.account_id
    JOIN players p ON p.id = r.player_id
    JOIN game_versions v ON v.id = r.game_version_id
    JOIN games g ON g.id = v.game_id
    ORDER BY r.id DESC`;
  return page(rows, { limit, walkedTo: low > lowest ? low : undefined });
}

/** The rounds of each account and game lie together in an index; the newest of each are merged. */
async function ofPlayer(db: Database, wanted: RoundsWanted, externalID: string): Promise<RoundsPage> {
  const { operatorID, gameID, limit, before } = wanted;
  const ofGame = gameID === undefined ? Prisma.empty : Prisma.sql`WHERE g.code = ${gameID}`;
  const from = before === undefined ? Prisma.empty : Prisma.sql`AND r.id < ${before}`;
  const rows = await db.$queryRaw<OperatorRoundRow[]>`
    SELECT ${Prisma.raw(OPERATOR_ROUND_COLUMNS)}
    FROM (SELECT id, external_id FROM players WHERE operator_id = ${operatorID} AND external_id = ${externalID}) p
    JOIN accounts a ON a.player_id = p.id
    CROSS JOIN (SELECT id, code FROM games g ${ofGame}) g
    CROSS JOIN LATERAL (
      SELECT * FROM rounds r
      WHERE r.account_id = a.id AND r.game_id = g.id ${from} ${conditions(wanted)}
      ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT ${limit + 1}
    ) r
    JOIN game_versions v ON v.id = r.game_version_id
    ORDER BY r.id DESC LIMIT ${limit + 1}`;
  return page(rows, { limit, walkedTo: undefined });
}

function conditions({ from, to, state }: RoundsWanted): Prisma.Sql {
  const since = from === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at >= ${from}`;
  const until = to === undefined ? Prisma.empty : Prisma.sql`AND r.opened_at < ${to}`;
  return Prisma.sql`${since} ${until} ${state === undefined ? Prisma.empty : STATES[state]}`;
}

const STATES: Readonly<Record<RoundState, Prisma.Sql>> = {
  open: Prisma.sql`AND r.closed_at IS NULL AND r.wallet_state IS DISTINCT FROM 'void'`,
  settled: Prisma.sql`AND r.closed_at IS NOT NULL AND r.wallet_state IS DISTINCT FROM 'void'`,
  void: Prisma.sql`AND r.wallet_state = 'void'`,
};

/** One row more than asked for says that there is another page. */
function page(
  rows: readonly OperatorRoundRow[],
  { limit, walkedTo }: { limit: number; walkedTo: bigint | undefined },
): RoundsPage {
  const rounds = rows.slice(0, limit).map(operatorRound);
  return { rounds, next: rows.length > limit ? rounds.at(-1)?.roundID : walkedTo };
}
