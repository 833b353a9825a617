import type { AdminRound, TimelineEntry } from '@roundhouse/contract/admin';
import type { RoundDetailRecord } from '../../store/operators/roundDetail.ts';
import type { RoundContext } from '../../store/rounds/roundContext.ts';
import type { StoredEvent } from '../../store/watch/eventChain.ts';

type RoundTransaction = RoundDetailRecord['transactions'][number];
const HUNDREDTHS = 100;

/** Two entries of the same instant have this order. */
const ORDER: readonly TimelineEntry['kind'][] = [
  ...['session', 'grant', 'draw', 'transaction', 'result', 'event', 'end', 'action'],
] as const;

/** Returns everything that happened with a round, in the order of time. */
export function timelineOf(
  round: RoundDetailRecord,
  { session, grant }: Pick<RoundContext, 'session' | 'grant'>,
  events: readonly StoredEvent[],
): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...(session === undefined ? [] : [sessionEntry(round, session)]),
    ...(grant === undefined ? [] : [grantEntry(grant)]),
    drawEntry(round),
    ...round.transactions.flatMap(transactionEntries),
    ...round.events.map(({ event, at }): TimelineEntry => ({ kind: 'event', at: at.toISOString(), event })),
    ...endEntry(round),
    ...events.map(actionEntry),
  ];
  const rank = ({ at, kind }: TimelineEntry) => ({ ms: Date.parse(at), place: ORDER.indexOf(kind) });
  return entries
    .map((entry) => ({ entry, ...rank(entry) }))
    .sort((a, b) => a.ms - b.ms || a.place - b.place)
    .map(({ entry }) => entry);
}

function sessionEntry(
  { sessionRowID }: RoundDetailRecord,
  { createdAt, expiresAt, state, country }: NonNullable<RoundContext['session']>,
): TimelineEntry {
  const facts = { sessionNumber: Number(sessionRowID), state, country };
  return { kind: 'session', at: createdAt.toISOString(), ...facts, expiresAt: expiresAt.toISOString() };
}

function grantEntry({ createdAt, ...grant }: NonNullable<RoundContext['grant']>): TimelineEntry {
  return { kind: 'grant', at: createdAt.toISOString(), ...grant };
}

function drawEntry(round: RoundDetailRecord): TimelineEntry {
  const { openedAt, bookID, mode, payoutMultiplier, amount, debit, free, payout } = round;
  return {
    kind: 'draw',
    at: openedAt.toISOString(),
    bookID,
    mode,
    amount,
    payout,
    payoutMultiplier: Number(payoutMultiplier) / HUNDREDTHS,
    cost: free?.bet ?? debit,
  };
}

/** The server stores the last attempt of a transaction and the number of all, not each of them. */
function transactionEntries(transaction: RoundTransaction): TimelineEntry[] {
  const { transactionID, kind, amount, attempts, state, reason, createdAt, lastResponseAt, nextAttemptAt } =
    transaction;
  const own = { transactionID, transaction: kind, attempts, state };
  const stored: TimelineEntry = {
    kind: 'transaction',
    at: createdAt.toISOString(),
    ...own,
    amount,
    reason,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  };
  if (lastResponseAt === null) return [stored];
  const { resultCode, httpStatus, lastResponse: response, settledBy, settlementNote: note } = transaction;
  const result = { resultCode, httpStatus, response, settledBy, note };
  const settled: TimelineEntry = { kind: 'result', at: lastResponseAt.toISOString(), ...own, ...result };
  // A closing that was never sent has the response of its debit.
  return attempts === 0 ? [settled] : [stored, settled];
}

/** Staff see a refused bet apart from a void round. */
export function stateOf({ state, isRefused }: Pick<RoundDetailRecord, 'state' | 'isRefused'>): AdminRound['state'] {
  return isRefused ? 'refused' : state;
}

function endEntry({ closedAt, autoCompletedAt, ...round }: RoundDetailRecord): TimelineEntry[] {
  const state = stateOf(round);
  if (closedAt === null || state === 'open') return [];
  return [{ kind: 'end', at: closedAt.toISOString(), state, byServer: autoCompletedAt !== null }];
}

function actionEntry({ at, actor, kind: event, subject, before, after }: StoredEvent): TimelineEntry {
  return { kind: 'action', at, actor, event, subject, before, after };
}
