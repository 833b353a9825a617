import type { Database } from '../database/database.ts';
import { DISORDER_MS, endOfRoundsBefore } from '../database/idsOfTime.ts';

/** The number of rows that the archive took, or would take. */
export type Archived = { rounds: number; roundEvents: number; transfers: number; walletTransactions: number };

export type ArchiveOptions = {
  /** Rounds that were completed at this instant or later stay. It is at least a day ago. */
  closedBefore: Date;
  /** When false, the rounds are only counted. */
  move: boolean;
  /** One transaction looks at no more rounds. */
  step?: number;
  /** Each transaction calls it, with all that was moved so far. */
  onStep?: (soFar: Archived) => void;
};

const ROUNDS_A_STEP = 2_000;

type Step = Record<'rounds' | 'round_events' | 'transfers' | 'wallet_transactions', bigint> & {
  last_id: bigint | null;
};

/**
 * Moves rounds that nothing changes any more into the archive; archive_rounds.sql says which. Each
 * step is a transaction, so it may be stopped at any moment, run again, and run beside nodes.
 */
export async function archiveRounds(db: Database, options: ArchiveOptions): Promise<Archived> {
  const { closedBefore, move, step = ROUNDS_A_STEP, onStep } = options;
  const end = await endOfRoundsBefore(db, new Date(closedBefore.getTime() + DISORDER_MS));
  const total: Archived = { rounds: 0, roundEvents: 0, transfers: 0, walletTransactions: 0 };
  let last: bigint | null = 0n;
  while (last !== null && last < end) {
    const [row]: Step[] = await db.$queryRaw<Step[]>`
      SELECT *
      FROM archive_rounds(${last}::bigint, ${closedBefore}::timestamptz, ${step}::integer, ${move}::boolean)`;
    if (row === undefined) throw new Error('archive_rounds returned no row');
    total.rounds += Number(row.rounds);
    total.roundEvents += Number(row.round_events);
    total.transfers += Number(row.transfers);
    total.walletTransactions += Number(row.wallet_transactions);
    last = row.last_id;
    onStep?.(total);
  }
  return total;
}

const TABLES = ['rounds', 'round_events', 'transfers', 'wallet_transactions'];

/**
 * PostgreSQL frees only empty pages, and these indexes keep a few entries on each page
 * (decision 017). The index of the open rounds is rebuilt after that of the accounts: the initial
 * migration says why it must be the newest.
 */
const SCATTERED_INDEXES = [
  'rounds_account_id_game_id_id_idx',
  'rounds_one_open_per_account_and_game',
  'wallet_transactions_pkey',
];

/**
 * Gives the space of archived rounds to new ones, and makes the indexes small again. Plays go on
 * meanwhile.
 */
export async function compactTables(db: Database): Promise<void> {
  // A run that was stopped may have left these.
  const unfinished = await db.$queryRaw<{ name: string }[]>`
    SELECT i.indexrelid::regclass::text AS name
    FROM pg_index i
    WHERE NOT i.indisvalid AND i.indrelid IN ('rounds'::regclass, 'wallet_transactions'::regclass)`;
  for (const { name } of unfinished) await db.$executeRawUnsafe(`DROP INDEX CONCURRENTLY ${name}`);
  for (const table of TABLES) await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${table}`);
  for (const index of SCATTERED_INDEXES) await db.$executeRawUnsafe(`REINDEX INDEX CONCURRENTLY ${index}`);
}
