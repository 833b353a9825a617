import { createHash } from 'node:crypto';

/** docs/audit.md describes the form of a stored event, and how to compute its hash. */
export type StoredEvent = {
  id: bigint;
  /** An event has a place in the chain, from 1, without gaps. */
  seq: bigint | null;
  /** The event was committed then, in UTC with microseconds: `2030-01-31T12:00:00.000000Z`. */
  at: string;
  actor: string;
  kind: string;
  subject: string;
  /** JSON. */
  before: string | null;
  after: string | null;
  previousHash: string | null;
  hash: string | null;
};

/** The head is the last event of a chain; before the first one seq is 0 and the hash all zeros. */
export type ChainHead = { seq: bigint; hash: string };

const FORM = 'roundhouse event 1';
export const EMPTY_CHAIN: ChainHead = { seq: 0n, hash: '0'.repeat(64) };

/** Returns the hash that the event must have: SHA-256 over the netstrings of all fields. */
export function hashOf({ seq, id, at, actor, kind, subject, before, after, previousHash }: StoredEvent): string {
  const fields = [FORM, text(seq), text(id), at, actor, kind, subject, before, after, previousHash];
  return createHash('sha256').update(fields.map(netstring).join('')).digest('hex');
}

function text(number: bigint | null): string | null {
  return number === null ? null : String(number);
}

function netstring(field: string | null): string {
  return field === null ? '-,' : `${Buffer.byteLength(field)}:${field},`;
}

/** `event` names a row, or what is missing. */
export type ChainIssue = { event: string; what: string };

export type ChainCheckOptions = {
  /** The head is from the same chain, and was kept elsewhere since. */
  exported?: ChainHead | undefined;
  /** The number of issues that are returned; the others are counted. */
  mostIssues?: number;
};

export type Verified = ChainCheckOptions & {
  /** Rows come by seq, those without one last. */
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>;
  /** The head is from the same database. */
  head: ChainHead;
};

export type ChainResult = { count: number; issues: ChainIssue[]; issueCount: number };

/** Nobody reads every issue of a chain that has more than this. */
const MOST_ISSUES = 10_000;
/** Rows that only changed places are found among at most this number of changed rows. */
const MOST_COMPARED = 1_000;
const CHANGED_OR_MOVED = 'was changed, or moved';

/**
 * Recomputes every hash, and names each row that was changed, moved, inserted or removed. Somebody
 * who computes all later hashes and the head anew is found by an exported head only. Memory does
 * not grow with the chain.
 */
export async function verifyChain({ events, head, ...options }: Verified): Promise<ChainResult> {
  const check = startChainCheck(options);
  for await (const event of events) check.add(event);
  return check.finish(head);
}

/** A verification to which the events come one by one, at any times. */
export type ChainCheck = {
  /** Takes the next row: they come by seq, those without one last. */
  add(event: StoredEvent): void;
  /** Returns an issue in the rows so far: finish() may name it better. */
  firstIssue(): ChainIssue | undefined;
  /** Takes the head of the moment in which the last rows were read. */
  finish(head: ChainHead): ChainResult;
};

export function startChainCheck({ exported, mostIssues = MOST_ISSUES }: ChainCheckOptions = {}): ChainCheck {
  const issues: ChainIssue[] = [];
  let issueCount = 0;
  const report = (event: string, what: string) => {
    issueCount += 1;
    if (issueCount <= mostIssues) issues.push({ event, what });
  };
  const wrong: StoredEvent[] = [];
  let count = 0;
  let last = EMPTY_CHAIN;
  let isLastTrusted = true;
  let hashOfExported = exported?.seq === 0n ? EMPTY_CHAIN.hash : undefined;

  function add(event: StoredEvent): void {
    count += 1;
    const { seq, previousHash } = event;
    const hash = event.hash ?? '';
    if (seq === null || seq < 1n) {
      report(`the row with id ${event.id}`, 'was inserted: it has no place in the chain');
      return;
    }
    if (seq <= last.seq) {
      report(`event ${seq} with id ${event.id}`, 'was inserted: there is another one of this number');
      return;
    }
    const isNext = seq === last.seq + 1n;
    if (!isNext) report(rangeOf(last.seq + 1n, seq - 1n), 'was removed');
    const isWhole = hashOf(event) === hash;
    if (!isWhole && wrong.length < MOST_COMPARED) wrong.push(event);
    else if (!isWhole) report(`event ${seq}`, CHANGED_OR_MOVED);
    else if (isNext && isLastTrusted && previousHash !== last.hash) {
      report(`event ${seq}`, 'does not follow the event before it: one of the two was replaced');
    }
    if (seq === exported?.seq) hashOfExported = hash;
    last = { seq, hash };
    isLastTrusted = isWhole;
  }

  function finish(head: ChainHead): ChainResult {
    for (const event of wrong) report(`event ${event.seq}`, whatHappened(event, wrong));
    if (head.seq > last.seq) report(rangeOf(last.seq + 1n, head.seq), 'was removed');
    else if (head.seq < last.seq || head.hash !== last.hash) {
      report('the head of the chain', `is event ${head.seq}, the last event is ${last.seq} and does not fit it`);
    }
    if (exported !== undefined && hashOfExported === undefined) {
      report(rangeOf(last.seq + 1n, exported.seq), 'was removed after the head was exported');
    } else if (exported !== undefined && hashOfExported !== exported.hash) {
      report(`event ${exported.seq}`, 'has another hash than the exported head: the chain was written anew');
    }
    return { count, issues, issueCount };
  }

  function firstIssue(): ChainIssue | undefined {
    const [changed] = wrong;
    return issues[0] ?? (changed && { event: `event ${changed.seq}`, what: CHANGED_OR_MOVED });
  }

  return { add, firstIssue, finish };
}

/** A moved row has the hash of its original number, which is now that of another row. */
function whatHappened(event: StoredEvent, wrong: readonly StoredEvent[]): string {
  const own = wrong.find(({ seq }) => hashOf({ ...event, seq }) === event.hash);
  return own === undefined ? 'was changed' : `was moved: it was event ${own.seq}`;
}

function rangeOf(first: bigint, last: bigint): string {
  return first >= last ? `event ${first}` : `each of the events ${first} to ${last}`;
}
