import type { Database } from '../database.ts';
import type { ChainHead, StoredEvent } from '../eventChain.ts';
import type { EventKind } from '../eventKinds.ts';
import { Prisma } from '../generated/client.ts';

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
};

const PAGE_SIZE = 5_000;
/** Every other id is higher. */
const FIRST_ID = -(2n ** 63n);

/** Reads all events of the chain, then those without a place in it, page by page. */
export async function* walkEvents(db: Pick<Database, '$queryRaw'>): AsyncGenerator<StoredEvent> {
  let last = { seq: 1n, id: FIRST_ID };
  for (let isFull = true; isFull; ) {
    const rows = await db.$queryRaw<(Row & { seq: bigint })[]>`
      ${SELECT_EVENTS} WHERE (seq, id) > (${last.seq}, ${last.id}) ORDER BY seq, id LIMIT ${PAGE_SIZE}`;
    yield* rows.map(storedEvent);
    isFull = rows.length === PAGE_SIZE;
    last = rows.at(-1) ?? last;
  }
  const others = await db.$queryRaw<Row[]>`${SELECT_EVENTS} WHERE seq IS NULL OR seq < 1 ORDER BY id`;
  yield* others.map(storedEvent);
}

/** Reads the last events, the newest last. */
export async function listEvents(
  db: Pick<Database, '$queryRaw'>,
  { kind, actor, subject, from, to }: EventFilter = {},
  limit = 1_000_000,
): Promise<StoredEvent[]> {
  const conditions = [
    kind && Prisma.sql`kind = ${kind}`,
    actor && Prisma.sql`strpos(actor, ${actor}) > 0`,
    subject && Prisma.sql`strpos(subject, ${subject}) > 0`,
    from && Prisma.sql`at >= ${from}::timestamptz`,
    to && Prisma.sql`at < ${to}::timestamptz`,
  ].filter((each) => each instanceof Prisma.Sql);
  const rows = await db.$queryRaw<Row[]>`
    ${SELECT_EVENTS} WHERE ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')} ORDER BY seq DESC, id DESC LIMIT ${limit}`;
  return rows.reverse().map(storedEvent);
}

/**
 * Reads the events whose subject is one of these, the newest `limit` of them, the oldest first. Only
 * they are read: OFFSET keeps the planner from walking the log in its order instead.
 */
export async function findEventsOf(
  db: Pick<Database, '$queryRaw'>,
  subjects: readonly string[],
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await db.$queryRaw<Row[]>`
    ${SELECT_EVENTS_OF} (SELECT * FROM significant_events WHERE subject = ANY (${[...subjects]}::text[]) OFFSET 0) own
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

const SELECT_EVENTS_OF = Prisma.sql`
  SELECT id, seq, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time, actor, kind, subject,
    value_before AS before, value_after AS after, previous_hash AS "previousHash", hash
  FROM`;
const SELECT_EVENTS = Prisma.sql`${SELECT_EVENTS_OF} significant_events`;

type Row = Omit<StoredEvent, 'at'> & { time: string };

function storedEvent({ time, ...row }: Row): StoredEvent {
  return { ...row, at: time };
}
