import { Batcher, type TraceSpan } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Database } from '../../store/database/database.ts';
import { addRoundTraces, findRoundTrace, type RoundTrace } from '../../store/rounds/roundTraces.ts';
import type { WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import type { Tracing } from './tracing.ts';

/**
 * Keeps the traces of sampled rounds with wallet transactions in the database, so that the trace of
 * a later recovery, also on another node, has a link to the play.
 */
export type RoundTraces = {
  /**
   * Stores it in the background. Traces that cannot be stored are left out: it is never in the way
   * of a play.
   */
  keep(roundID: bigint, trace: TraceSpan): void;
  /** Starts the trace of a recovery. */
  startRecovery(
    transaction: Pick<WalletTransaction, 'transactionID' | 'roundID' | 'kind'>,
  ): Promise<TraceSpan | undefined>;
  /** Resolves when nothing is being stored. */
  idle(): Promise<void>;
};

type RoundTracesDeps = { db: Database; tracing: Tracing; log: Logger };

/** A database that is slow gets no more than these. */
const MOST_WAITING = 1_000;

export function createRoundTraces({ db, tracing, log }: RoundTracesDeps): RoundTraces {
  // It stores one batch at a time, so it never holds more than one connection.
  const batcher = new Batcher<RoundTrace, undefined>({
    name: 'round traces',
    maxInFlight: 1,
    maxWaiting: MOST_WAITING,
    maxWaitMs: db.limits.connectMs,
    run: async (traces) => {
      await addRoundTraces(db, traces);
      return traces.map(() => undefined);
    },
  });
  const inFlight = new Set<Promise<void>>();
  return {
    keep(roundID, { traceparent }) {
      const keeping = batcher
        .submit({ roundID, traceparent })
        .catch((error: unknown) => log.debug({ err: error }, 'the trace of a round could not be kept'))
        .then(() => void inFlight.delete(keeping));
      inFlight.add(keeping);
    },
    async startRecovery({ transactionID, roundID, kind }) {
      const causedBy = await findRoundTrace(db, roundID).catch((error: unknown) => {
        log.debug({ err: error }, 'the trace of a round could not be read');
        return undefined;
      });
      const span = tracing.afterwards(`recover ${kind}`, causedBy);
      span?.set({ 'roundhouse.transaction_id': transactionID, 'roundhouse.round_id': String(roundID) });
      return span;
    },
    async idle() {
      await Promise.all(inFlight);
    },
  };
}
