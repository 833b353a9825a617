import { type CloseRoundsResponse, type Closing, MAX_CLOSINGS } from '@roundhouse/contract';
import { inSpan, type TraceSpan } from '@roundhouse/service';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import type { Failpoint } from './transactionSender.ts';
import type { WalletClient } from './walletClient.ts';
import { type StoredResult, storedResult } from './walletResult.ts';

/**
 * Tells operators that losing rounds are completed: in groups, or one by one where the wallet has
 * no `/close-rounds`. What the wallet does not accept stays pending. Recovery then retries each as
 * a single credit, so a closing that the wallet cannot take does not block the others
 * (decision 005).
 */
export type Closings = {
  /** The closing is stored, and leased to this node. */
  add(operator: WalletOperator, closing: Closing, trace?: TraceSpan): void;
  /** Returns how many closings wait for their group. */
  waiting(): number;
  /** Sends the closings that wait for their group. Resolves when nothing is being sent. */
  idle(): Promise<void>;
};

type ClosingsDeps = {
  ledger: Pick<Ledger, 'settleClosing'>;
  client: Pick<WalletClient, 'send'>;
  failpoint: (name: Failpoint) => void;
  onError: (error: unknown, transactionID: string) => void;
  /** Called for each request, with the number of its closings. */
  observe?: (request: { closings: number }) => void;
};

type Group = {
  operator: WalletOperator;
  closings: Closing[];
  /** The traced plays in the group. */
  traces: TraceSpan[];
  bytes: number;
  timer: NodeJS.Timeout;
};

/**
 * Time in milliseconds for which a closing waits for its group; the lease lasts longer
 * (decision 005).
 */
const GATHER_MS = 500;
/** The largest body of a request in bytes: a wallet may refuse a larger one. */
const MAX_BYTES = 128 * 1024;
/** A closing has at most this many bytes, without its playerID. */
const CLOSING_BYTES = 320;
const BYTES_PER_CHARACTER = 4;
/** Time in milliseconds for which a wallet without `/close-rounds` gets no such request. */
const LACKING_MS = 5 * 60_000;

export function createClosings({ ledger, client, failpoint, onError, observe }: ClosingsDeps): Closings {
  /** The key is the operatorID. */
  const groups = new Map<number, Group>();
  /** These wallets lack `/close-rounds`. The key is the operatorID. */
  const lacking = new Map<number, { url: string; untilMs: number }>();
  const inFlight = new Set<Promise<void>>();

  function add(operator: WalletOperator, closing: Closing, trace?: TraceSpan): void {
    failpoint('closing_stored');
    if (isLacking(operator)) track(sendAlone(operator, closing, trace), [closing]);
    else gather(operator, closing, trace);
  }

  function gather(operator: WalletOperator, closing: Closing, trace: TraceSpan | undefined): void {
    const bytes = CLOSING_BYTES + BYTES_PER_CHARACTER * closing.playerID.length;
    const waiting = groups.get(operator.operatorID);
    if (waiting !== undefined && waiting.bytes + bytes > MAX_BYTES) flush(waiting);
    const group = groups.get(operator.operatorID) ?? newGroup(operator);
    // The group is sent with the newest settings of the operator.
    group.operator = operator;
    group.closings.push(closing);
    if (trace !== undefined) group.traces.push(trace);
    group.bytes += bytes;
    if (group.closings.length === MAX_CLOSINGS) flush(group);
  }

  function newGroup(operator: WalletOperator): Group {
    const timer = setTimeout(() => flush(group), GATHER_MS);
    const group: Group = { operator, closings: [], traces: [], bytes: 0, timer };
    groups.set(operator.operatorID, group);
    return group;
  }

  function flush({ operator, closings, traces, timer }: Group): void {
    clearTimeout(timer);
    groups.delete(operator.operatorID);
    // The order is fixed: two transactions that settle the same closings do not deadlock.
    closings.sort((a, b) => (a.transactionID < b.transactionID ? -1 : 1));
    const [first] = traces;
    const attributes = { 'roundhouse.operator': operator.code, 'roundhouse.closings': closings.length };
    const span = first?.child('close rounds', { attributes, links: traces });
    track(
      inSpan(span, () => sendGroup(operator, closings, span)),
      closings,
    );
  }

  async function sendGroup(
    operator: WalletOperator,
    closings: readonly Closing[],
    trace: TraceSpan | undefined,
  ): Promise<void> {
    failpoint('closing_gathered');
    observe?.({ closings: closings.length });
    const result = await client.send(operator, 'closeRounds', { rounds: [...closings] }, { trace });
    if (result.kind === 'lacking') {
      lacking.set(operator.operatorID, { url: operator.url, untilMs: performance.now() + LACKING_MS });
      await Promise.all(closings.map((closing) => sendAlone(operator, closing, trace)));
      return;
    }
    failpoint('closing_responded');
    const resultOf = result.kind === 'accepted' ? readResults(result) : () => storedResult(result);
    await Promise.all(
      closings.map(({ transactionID }, index) =>
        // Only one is traced: it shows when all were settled.
        settle(transactionID, resultOf(transactionID), index === 0 ? trace : undefined),
      ),
    );
    failpoint('closing_settled');
  }

  async function sendAlone(operator: WalletOperator, closing: Closing, trace: TraceSpan | undefined): Promise<void> {
    const result = await client.send(operator, 'credit', { ...closing, amount: 0, roundClosed: true }, { trace });
    failpoint('closing_responded');
    await settle(closing.transactionID, storedResult(result), trace);
    failpoint('closing_settled');
  }

  const settle = (transactionID: string, result: StoredResult, trace: TraceSpan | undefined) =>
    ledger.settleClosing({ transactionID, ...result }, trace);

  function isLacking({ operatorID, url }: WalletOperator): boolean {
    const known = lacking.get(operatorID);
    if (known === undefined) return false;
    if (known.url === url && performance.now() < known.untilMs) return true;
    lacking.delete(operatorID);
    return false;
  }

  function track(work: Promise<void>, closings: readonly Closing[]): void {
    const tracked = work
      .catch((error: unknown) => {
        for (const { transactionID } of closings) onError(error, transactionID);
      })
      .then(() => void inFlight.delete(tracked));
    inFlight.add(tracked);
  }

  return {
    add,
    waiting: () => [...groups.values()].reduce((sum, { closings }) => sum + closings.length, 0),
    async idle() {
      for (const group of [...groups.values()]) flush(group);
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

type Accepted = { httpStatus: number; body: CloseRoundsResponse };

/**
 * A closing is accepted only when the wallet says so. If the response names it twice, both results
 * must say so.
 */
function readResults({ httpStatus, body }: Accepted): (transactionID: string) => StoredResult {
  const results = new Map<string, StoredResult>();
  for (const { transactionID, error, message, reference } of body.results) {
    const known = results.get(transactionID.toLowerCase());
    if (known !== undefined && known.resultCode !== 'accepted') continue;
    results.set(transactionID.toLowerCase(), {
      resultCode: error ?? 'accepted',
      httpStatus,
      resultDetail: error && message,
      reference: error === undefined ? reference : undefined,
    });
  }
  const missing: StoredResult = {
    resultCode: 'invalid_response',
    httpStatus,
    resultDetail: 'no result for this closing',
    reference: undefined,
  };
  return (transactionID) => results.get(transactionID) ?? missing;
}
