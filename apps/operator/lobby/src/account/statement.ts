import { signal } from '@preact/signals';
import {
  type AccountKey,
  type Api,
  type Failure,
  STATEMENT_PAGE_SIZE,
  type StatementEntry,
  type StatementEvent,
  type StatementPage,
  statementStreamUrl,
} from '../api.ts';

/** What the page has of an account. `entries` are newest first, without gaps. */
export type Statement = {
  /** Micros. */
  readonly balance: number;
  readonly entries: readonly StatementEntry[];
  /** Whether there may be entries older than the last. */
  readonly hasOlder: boolean;
};

/** Older entries are dropped: a page that is open for a day must not grow with every spin. */
export const MAX_ENTRIES = 500;

/**
 * Returns the statement with the newest page in front. If the page does not reach the known
 * entries, those between are missing. The known ones are then dropped, so there is never a gap.
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

/** Returns the statement after one more page at its end. */
export function withOlderPage(known: Statement, { page, pageSize }: PageRead): Statement {
  const ids = new Set(known.entries.map(({ id }) => id));
  const older = page.entries.filter(({ id }) => !ids.has(id));
  return { ...known, entries: [...known.entries, ...older], hasOlder: page.entries.length >= pageSize };
}

/**
 * Returns the statement with an entry of the stream. An entry that is not newer than the newest one
 * changes nothing, not even the balance: after a reconnect the stream repeats known entries.
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

/** What an entry means to the player. */
export type EntryMeaning = 'bet' | 'free' | 'win' | 'winnings' | 'closed' | 'returned' | 'deposit' | 'withdrawal';

type MeantEntry = Pick<StatementEntry, 'kind' | 'amount' | 'grantID' | 'grantClosed'>;

/** A credit of 0 completes a lost round. */
export function meaningOf({ kind, amount, grantID, grantClosed }: MeantEntry): EntryMeaning {
  switch (kind) {
    case 'debit':
      return grantID === null ? 'bet' : 'free';
    case 'credit':
      if (grantClosed) return 'winnings';
      return amount === 0 ? 'closed' : 'win';
    case 'rollback':
      return 'returned';
    case 'deposit':
    case 'withdrawal':
      return kind;
  }
}

const writeTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const writeDay = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

/** Returns the time of day, with the date if it is not the day of `now`. */
export function momentText(at: string, now: Date): { time: string; day: string | undefined } {
  const moment = new Date(at);
  const isToday = moment.toDateString() === now.toDateString();
  return { time: writeTime.format(moment), day: isToday ? undefined : writeDay.format(moment) };
}

/** `broken`: the browser does not reconnect. {@link StatementFeed.retry} does. */
export type Connection = 'connecting' | 'live' | 'broken';

/** The part of EventSource that a feed uses. */
export type Stream = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

export type StatementFeedOptions = AccountKey & { api: Pick<Api, 'statement'>; openStream: (url: string) => Stream };

export type StatementFeed = ReturnType<typeof openStatementFeed>;

/** `EventSource.CLOSED`, which is missing in tests. */
const CLOSED = 2;

/**
 * Follows the statement of one account until it is closed. It reads the newest entries after each
 * connect, because the stream does not repeat older ones.
 */
export function openStatementFeed({ api, openStream, ...account }: StatementFeedOptions) {
  const statement = signal<Statement | undefined>(undefined);
  const connection = signal<Connection>('connecting');
  const failure = signal<Failure | undefined>(undefined);
  const readingOlder = signal(false);
  let stream: Stream | undefined;
  let closed = false;
  // Entries that arrive during a read. The page may have them or not.
  let waiting: StatementEvent[] = [];
  let reads = 0;

  const take = (event: StatementEvent) => {
    if (reads > 0 || !statement.value) waiting.push(event);
    else statement.value = withEvent(statement.value, event);
  };

  async function readNewest(): Promise<void> {
    reads += 1;
    const result = await api.statement(account);
    reads -= 1;
    if (closed) return;
    failure.value = result.ok ? undefined : result.failure;
    if (result.ok) statement.value = withNewestPage(statement.value, pageRead(result.value));
    if (reads > 0 || !statement.value) return;
    statement.value = waiting.reduce(withEvent, statement.value);
    waiting = [];
  }

  function connect(): void {
    stream?.close();
    connection.value = 'connecting';
    const opened = openStream(statementStreamUrl(account));
    stream = opened;
    opened.addEventListener('open', () => {
      connection.value = 'live';
      void readNewest();
    });
    opened.addEventListener('error', () => {
      connection.value = opened.readyState === CLOSED ? 'broken' : 'connecting';
    });
    opened.addEventListener('entry', (event) =>
      take(JSON.parse((event as MessageEvent<string>).data) as StatementEvent),
    );
  }

  connect();
  void readNewest();

  return {
    account,
    statement,
    connection,
    /** Why the last read of the newest entries failed; undefined after a success. */
    failure,
    readingOlder,
    /** Reads one more page at the end. */
    async readOlder(): Promise<void> {
      const last = statement.value?.entries.at(-1);
      if (!last || readingOlder.value) return;
      readingOlder.value = true;
      const result = await api.statement({ ...account, before: last.id });
      readingOlder.value = false;
      const known = statement.value;
      // The end may have changed during the read. Then the page does not continue it.
      if (result.ok && known?.entries.at(-1)?.id === last.id) {
        statement.value = withOlderPage(known, pageRead(result.value));
      }
    },
    retry(): void {
      connect();
      void readNewest();
    },
    close(): void {
      closed = true;
      stream?.close();
    },
  };
}

function pageRead(page: StatementPage): PageRead {
  return { page, pageSize: STATEMENT_PAGE_SIZE };
}
