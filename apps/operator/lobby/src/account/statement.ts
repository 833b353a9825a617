import type { StatementEntry, StatementEvent, StatementPage } from '../api/apiTypes.ts';

/** What is known of an account. `entries` are newest first, without a gap between them. */
export type Statement = {
  /** Micros. */
  readonly balance: number;
  readonly entries: readonly StatementEntry[];
  /** Whether there may be lines older than the last. */
  readonly hasOlder: boolean;
};

/** Lines beyond these are dropped from the end: a page that is open for a day must not grow with every spin. */
export const MAX_ENTRIES = 500;

/**
 * The statement after its newest lines have been read again. When they do not reach those that are known, lines are missing in
 * between, and the known ones go: what is shown never hides a gap.
 */
export function withNewestPage(known: Statement | undefined, { page, pageSize }: PageRead): Statement {
  const oldest = page.entries.at(-1);
  const meeting = known?.entries.findIndex(({ id }) => id === oldest?.id) ?? -1;
  if (!known || meeting < 0) {
    return { balance: page.balance, entries: page.entries, hasOlder: page.entries.length >= pageSize };
  }
  const older = known.entries.slice(meeting + 1);
  return limited({ ...known, balance: page.balance, entries: [...page.entries, ...older] });
}

/** The statement after one more page at its end. */
export function withOlderPage(known: Statement, { page, pageSize }: PageRead): Statement {
  const ids = new Set(known.entries.map(({ id }) => id));
  const older = page.entries.filter(({ id }) => !ids.has(id));
  return { ...known, entries: [...known.entries, ...older], hasOlder: page.entries.length >= pageSize };
}

/**
 * The statement after a line has arrived. A line that is not newer than the newest changes nothing, not even the balance: a stream
 * that has reconnected tells again what a page has brought meanwhile.
 */
export function withEvent(known: Statement, { entry, balance }: StatementEvent): Statement {
  const [newest] = known.entries;
  if (newest && BigInt(entry.id) <= BigInt(newest.id)) return known;
  return limited({ ...known, balance, entries: [entry, ...known.entries] });
}

export type PageRead = { page: StatementPage; pageSize: number };

function limited(statement: Statement): Statement {
  if (statement.entries.length <= MAX_ENTRIES) return statement;
  return { ...statement, entries: statement.entries.slice(0, MAX_ENTRIES), hasOlder: true };
}
