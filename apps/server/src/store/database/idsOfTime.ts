import { CELL_SHIFT } from '@roundhouse/fleet';
import { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

/**
 * The ids of two simultaneous plays may have another order than their times, by this much at most.
 */
export const DISORDER_MS = 5 * 60_000;

/** It is Prisma itself, or a transaction of it. */
type Queries = Pick<Database, '$queryRaw'>;

/**
 * Rounds that were opened at this instant or later have this id or a higher one; so may have
 * earlier ones, of players that have moved here.
 */
export function lowestRoundSince(db: Queries, instant: Date): Promise<bigint> {
  return lowestSince(db, ROUNDS, instant);
}

/**
 * Rounds that were opened before this instant have lower ids than this one; so may have later ones,
 * of players that have moved here. Without an instant it is above all ids.
 */
export async function endOfRoundsBefore(db: Queries, instant: Date | undefined): Promise<bigint> {
  return endBefore(db, ROUNDS, instant);
}

/** Returns what lowestRoundSince does, for transfers. */
export function lowestTransferSince(db: Queries, instant: Date): Promise<bigint> {
  return lowestSince(db, TRANSFERS, instant);
}

/** Returns the first event of this instant or later, by its place in the chain. */
export function firstEventSince(db: Queries, instant: Date): Promise<bigint> {
  return lowestSince(db, EVENTS, instant);
}

/** Returns the end of the events before this instant; without an instant, the end of the chain. */
export function endOfEventsBefore(db: Queries, instant: Date | undefined): Promise<bigint> {
  return endBefore(db, EVENTS, instant);
}

/** hot: the newest row is always in this table. all: it also has the archived ones. */
type Stamped = { hot: string; all: string; key: string; at: string };

const ROUNDS: Stamped = { hot: 'rounds', all: 'all_rounds', key: 'id', at: 'opened_at' };
const TRANSFERS: Stamped = { hot: 'transfers', all: 'all_transfers', key: 'id', at: 'created_at' };
const EVENTS: Stamped = { hot: 'significant_events', all: 'significant_events', key: 'seq', at: 'at' };

async function lowestSince(db: Queries, table: Stamped, instant: Date): Promise<bigint> {
  const found = await searchRanges(db, table, instant);
  const late = found.find(({ late, last }) => late <= last);
  return late?.late ?? (found.at(-1)?.last ?? 0n) + 1n;
}

async function endBefore(db: Queries, table: Stamped, instant: Date | undefined): Promise<bigint> {
  if (instant !== undefined) {
    const found = await searchRanges(db, table, instant);
    return found.findLast(({ first, late }) => late > first)?.late ?? 1n;
  }
  const [hot, key] = [table.hot, table.key].map(Prisma.raw);
  const [row] = await db.$queryRaw<{ end: bigint }[]>`SELECT coalesce(max(${key}), 0) + 1 AS end FROM ${hot}`;
  if (row === undefined) throw new Error(`the search for the last id of ${table.hot} returned no row`);
  return row.end;
}

/**
 * The rows whose ids have one number of a cell have ids from first to last. Those of the instant or
 * later have the id late or a higher one: last + 1 when there is none.
 */
type Range = { first: bigint; last: bigint; late: bigint };

/**
 * Ids with the same number of a cell grow with time, also those of moved players. So a binary
 * search in the primary key finds the instant in each number, all together in a few dozen steps in
 * a table of any size. The lowest number comes first.
 */
async function searchRanges(db: Queries, table: Stamped, instant: Date): Promise<Range[]> {
  const [all, key, at] = [table.all, table.key, table.at].map(Prisma.raw);
  const nextNumber = (id: Prisma.Sql) => Prisma.sql`((${id} >> ${bits}) + 1) << ${bits}`;
  return db.$queryRaw<Range[]>`
    WITH RECURSIVE number AS (
      SELECT (SELECT t.${key} FROM ${all} t ORDER BY t.${key} LIMIT 1) AS first
      UNION ALL
      SELECT (
        SELECT t.${key}
        FROM ${all} t
        WHERE t.${key} >= ${nextNumber(Prisma.sql`n.first`)}
        ORDER BY t.${key} LIMIT 1
      )
      FROM number n
      WHERE n.first IS NOT NULL
    ), range AS (
      SELECT n.first, (
        SELECT t.${key}
        FROM ${all} t
        WHERE t.${key} < ${nextNumber(Prisma.sql`n.first`)}
        ORDER BY t.${key} DESC LIMIT 1
      ) AS last
      FROM number n
      WHERE n.first IS NOT NULL
    ), search AS (
      SELECT r.first, r.last, r.first - 1 AS too_early, r.last + 1 AS late_enough
      FROM range r
      UNION ALL
      SELECT s.first, s.last,
        CASE WHEN l.is_late THEN s.too_early ELSE m.id END,
        CASE WHEN l.is_late THEN m.id ELSE s.late_enough END
      FROM search s
      CROSS JOIN LATERAL (SELECT (s.too_early + s.late_enough) / 2 AS id) m
      CROSS JOIN LATERAL (
        SELECT (SELECT t.${at} FROM ${all} t WHERE t.${key} >= m.id ORDER BY t.${key} LIMIT 1) >= ${instant} AS is_late
      ) l
      WHERE s.late_enough - s.too_early > 1
    )
    SELECT first, last, min(late_enough) AS late
    FROM search
    GROUP BY first, last
    ORDER BY first`;
}

const bits = Prisma.raw(`${CELL_SHIFT}`);
