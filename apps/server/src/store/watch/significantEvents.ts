import type { Database } from '../database/database.ts';
import { endOfEventsBefore, firstEventSince } from '../database/idsOfTime.ts';
import { Prisma } from '../generated/client.ts';
import { aboutOperator } from '../operators/operatorEvents.ts';
import type { ChainHead, StoredEvent } from './eventChain.ts';
import type { EventKind } from './eventKinds.ts';

export type SignificantEvent = {
  kind: EventKind;
  /** The event is about the subject: "operator acme", "round 12". */
  subject: string;
  /** It is plain data without bigints; members that did not change are left out. */
  before?: object | undefined;
  after?: object | undefined;
  /** The default is the actor of the connection. */
  actor?: string | undefined;
};

/**
 * Adds an event to the log, by the actor of the connection. With a transaction client it is in the
 * log when the transaction commits, and only then.
 */
export async function recordEvent(
  db: Pick<Database, '$executeRaw'>,
  { kind, subject, before, after, actor }: SignificantEvent,
): Promise<void> {
  await db.$executeRaw`
    SELECT record_significant_event(
      ${kind}, ${subject}, ${textOf(before)}::text, ${textOf(after)}::text, ${actor ?? null}::text)`;
}

/** Comes first in a transaction whose events are another actor's. */
export function actAs(db: Pick<Database, '$executeRaw'>, actor: string) {
  return db.$executeRaw`SELECT set_config('roundhouse.actor', ${actor}, true)`;
}

/** Says why the configuration changes in this transaction: the events of its rows have it. */
export function giveReason(db: Pick<Database, '$executeRaw'>, reason: string) {
  return db.$executeRaw`SELECT set_config('roundhouse.reason', ${reason}, true)`;
}

function textOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** A condition is a part of a text, or an instant; when left out, it takes every event. */
export type EventFilter = {
  kind?: EventKind | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  /** The filter takes events from `from` on and before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** The filter takes only what is certainly about this operator. */
  operator?: { operatorID: number; operatorCode: string } | undefined;
};

const PAGE_SIZE = 5_000;
/** Every other id is higher. */
const FIRST_ID = -(2n ** 63n);

/** A row of the chain: only SQL from outside makes two rows with one seq. */
export type ChainPlace = { seq: bigint; id: bigint };

export const START_OF_CHAIN: ChainPlace = { seq: 1n, id: FIRST_ID };

/** Reads all events of the chain after a place, then those without one, page by page. */
export async function* walkEvents(
  db: Pick<Database, '$queryRaw'>,
  after: ChainPlace = START_OF_CHAIN,
): AsyncGenerator<StoredEvent> {
  let last = after;
  for (let isFull = true; isFull; ) {
    const rows = await readChain(db, { after: last, limit: PAGE_SIZE });
    yield* rows;
    isFull = rows.length === PAGE_SIZE;
    last = rows.at(-1) ?? last;
  }
  yield* eventsWithoutPlace(db);
}

/** Reads the next events of the chain. */
export async function readChain(
  db: Pick<Database, '$queryRaw'>,
  { after, limit }: { after: ChainPlace; limit: number },
): Promise<(StoredEvent & { seq: bigint })[]> {
  const rows = await db.$queryRaw<(Row & { seq: bigint })[]>`
    ${SELECT_EVENTS} WHERE (seq, id) > (${after.seq}, ${after.id}) ORDER BY seq, id LIMIT ${limit}`;
  return rows.map(({ time, ...row }) => ({ ...row, at: time }));
}

/** Only SQL from outside inserts these, so there may be any number of them. */
async function* eventsWithoutPlace(db: Pick<Database, '$queryRaw'>): AsyncGenerator<StoredEvent> {
  let last = FIRST_ID;
  for (let isFull = true; isFull; ) {
    const rows = await db.$queryRaw<Row[]>`
      ${SELECT_EVENTS} WHERE (seq IS NULL OR seq < 1) AND id > ${last} ORDER BY id LIMIT ${PAGE_SIZE}`;
    yield* rows.map(storedEvent);
    isFull = rows.length === PAGE_SIZE;
    last = rows.at(-1)?.id ?? last;
  }
}

export type EventsWanted = EventFilter & {
  limit: number;
  /** Only events with a lower place are read: the place is the end of the previous page. */
  before?: bigint | undefined;
  /** The largest number of events that one page reads. */
  span?: number;
};

/**
 * The newest event comes first. The next page begins at `next`; undefined when there is none. The
 * page has read back to `searchedTo`.
 */
export type EventsPage = { events: StoredEvent[]; next: bigint | undefined; searchedTo: string | undefined };

/** The cost of a page has this bound, whatever its filter leaves out. */
const MOST_EVENTS_A_PAGE = 10_000;

/**
 * Reads down the chain, whose order is that of the times, or down the events of a kind. Each of the
 * two has an index; the other conditions are checked on what was read.
 */
export async function pageOfEvents(db: Pick<Database, '$queryRaw'>, wanted: EventsWanted): Promise<EventsPage> {
  const { kind, actor, subject, from, to, operator, limit, before, span = MOST_EVENTS_A_PAGE } = wanted;
  const [low, end] = await Promise.all([
    from === undefined ? 1n : firstEventSince(db, from),
    endOfEventsBefore(db, to),
  ]);
  const high = before !== undefined && before < end ? before : end;
  const ofKind = kind === undefined ? Prisma.empty : Prisma.sql`AND kind = ${kind}`;
  const walked = Prisma.sql`
    SELECT *
    FROM significant_events
    WHERE seq >= ${low} AND seq < ${high} ${ofKind}
    ORDER BY seq DESC LIMIT ${span}`;
  const conditions = [
    actor && Prisma.sql`strpos(actor, ${actor}) > 0`,
    subject && Prisma.sql`strpos(subject, ${subject}) > 0`,
    operator && aboutOperator(operator),
  ].filter((each) => each instanceof Prisma.Sql);
  const rows = await db.$queryRaw<Row[]>`
    ${SELECT_EVENT_COLUMNS}
    FROM (${walked}) significant_events
    WHERE ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')}
    ORDER BY seq DESC LIMIT ${limit + 1}`;
  const events = rows.slice(0, limit).map(storedEvent);
  const last = events.at(-1);
  if (rows.length > limit) return { events, next: last?.seq ?? undefined, searchedTo: last?.at };
  const [walkedTo] = await db.$queryRaw<{ seq: bigint; time: string }[]>`
    SELECT seq, ${EVENT_TIME} AS time
    FROM (${walked}) walked
    ORDER BY seq DESC OFFSET ${span - 1}`;
  return { events, next: walkedTo?.seq, searchedTo: walkedTo?.time };
}

/**
 * Reads the last events, the newest last. Those without a place in the chain, which a transaction
 * has just written or SQL has inserted from outside, come after the others.
 */
export async function listEvents(
  db: Pick<Database, '$queryRaw'>,
  filter: EventFilter = {},
  limit = 1_000_000,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of eventsWithoutPlace(db)) {
    if (isTaken(event, filter)) events.push(event);
    if (events.length > limit) events.shift();
  }
  events.reverse();
  let before: bigint | undefined;
  do {
    const page = await pageOfEvents(db, { ...filter, before, limit: Math.min(PAGE_SIZE, limit - events.length) });
    events.push(...page.events);
    before = page.next;
  } while (before !== undefined && events.length < limit);
  return events.reverse();
}

/** Times of this form compare as texts. */
function isTaken(event: StoredEvent, { kind, actor = '', subject = '', from, to }: EventFilter): boolean {
  const [since, until] = [from, to].map((instant) => instant?.toISOString().replace('Z', '000Z'));
  return (
    (kind === undefined || event.kind === kind) &&
    event.actor.includes(actor) &&
    event.subject.includes(subject) &&
    (since === undefined || event.at >= since) &&
    (until === undefined || event.at < until)
  );
}

/**
 * Reads the events whose subject is one of these, the newest `limit` of them, the oldest first.
 * Only they are read: OFFSET keeps the planner from walking the log in its order instead.
 */
export async function findEventsOf(
  db: Pick<Database, '$queryRaw'>,
  subjects: readonly string[],
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await db.$queryRaw<Row[]>`
    ${SELECT_EVENT_COLUMNS}
    FROM (SELECT * FROM significant_events WHERE subject = ANY (${[...subjects]}::text[]) OFFSET 0) own
    ORDER BY seq DESC NULLS FIRST, id DESC LIMIT ${limit}`;
  return rows.reverse().map(storedEvent);
}

export async function findChainHead(db: Pick<Database, '$queryRaw'>): Promise<ChainHead> {
  const [head] = await db.$queryRaw<ChainHead[]>`SELECT seq, hash FROM event_chain_head`;
  return head ?? { seq: 0n, hash: 'missing' };
}

/** Reads events and head of one moment: no event comes between the two. */
export function atOneMoment<Value>(
  db: Database,
  work: (tx: Prisma.TransactionClient) => Promise<Value>,
): Promise<Value> {
  return db.$transaction(work, { isolationLevel: 'RepeatableRead', timeout: LONGEST_REPORT_MS });
}

const LONGEST_REPORT_MS = 86_400_000;

const EVENT_TIME = Prisma.sql`to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const SELECT_EVENT_COLUMNS = Prisma.sql`
  SELECT id, seq, ${EVENT_TIME} AS time, actor, kind, subject,
    value_before AS before, value_after AS after, previous_hash AS "previousHash", hash`;

const SELECT_EVENTS = Prisma.sql`${SELECT_EVENT_COLUMNS} FROM significant_events`;

type Row = Omit<StoredEvent, 'at'> & { time: string };

function storedEvent({ time, ...row }: Row): StoredEvent {
  return { ...row, at: time };
}
