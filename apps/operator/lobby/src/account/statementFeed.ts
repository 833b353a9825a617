import { signal } from '@preact/signals';
import { type AccountKey, type Api, type Failure, STATEMENT_PAGE_SIZE, statementStreamUrl } from '../api/api.ts';
import type { StatementEvent } from '../api/apiTypes.ts';
import { type Statement, withEvent, withNewestPage, withOlderPage } from './statement.ts';

/** `broken`: the browser has given up on the stream, and only {@link StatementFeed.retry} opens it again. */
export type Connection = 'connecting' | 'live' | 'broken';

/** The part of EventSource that a feed uses. */
export type Stream = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

export type StatementFeedOptions = AccountKey & { api: Pick<Api, 'statement'>; openStream: (url: string) => Stream };

export type StatementFeed = ReturnType<typeof openStatementFeed>;

const CLOSED = 2;

/**
 * Follows the statement of one account until it is closed. After every new connection the newest lines are read again, because
 * the stream says nothing of what has happened while it was away.
 */
export function openStatementFeed({ api, openStream, ...account }: StatementFeedOptions) {
  const statement = signal<Statement | undefined>(undefined);
  const connection = signal<Connection>('connecting');
  const failure = signal<Failure | undefined>(undefined);
  const readingOlder = signal(false);
  let stream: Stream | undefined;
  let closed = false;
  // Lines that arrive while a page is on its way; it may have been read before them or after.
  let waiting: StatementEvent[] = [];
  let reads = 0;

  const take = (event: StatementEvent) => {
    if (reads > 0 || !statement.value) waiting.push(event);
    else statement.value = withEvent(statement.value, event);
  };

  async function readNewest(): Promise<void> {
    reads += 1;
    const answer = await api.statement(account);
    reads -= 1;
    if (closed) return;
    failure.value = answer.ok ? undefined : answer.failure;
    if (answer.ok)
      statement.value = withNewestPage(statement.value, { page: answer.value, pageSize: STATEMENT_PAGE_SIZE });
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
    /** Why the newest lines could not be read; undefined when they could. */
    failure,
    readingOlder,
    /** Reads one more page at the end. */
    async readOlder(): Promise<void> {
      const last = statement.value?.entries.at(-1);
      if (!last || readingOlder.value) return;
      readingOlder.value = true;
      const answer = await api.statement({ ...account, before: last.id });
      readingOlder.value = false;
      const known = statement.value;
      // The end may have moved while the page was on its way: then it does not belong there.
      if (answer.ok && known?.entries.at(-1)?.id === last.id) {
        statement.value = withOlderPage(known, { page: answer.value, pageSize: STATEMENT_PAGE_SIZE });
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
