import type { Database } from '../../store/database/database.ts';
import { type ChainHead, type StoredEvent, verifyChain } from '../../store/watch/eventChain.ts';
import { atOneMoment, findChainHead, walkEvents } from '../../store/watch/significantEvents.ts';

export type VerifyLogOptions = {
  /** The head of the same log, kept elsewhere since. */
  exported?: ChainHead | undefined;
  mostIssues?: number;
  /** `total` is the number of events when the log is whole. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** The verification ends at its next page, and throws. */
  signal?: AbortSignal;
};

const EVENTS_PER_REPORT = 2_000;

/** Verifies the log of significant events as it is at one moment, of any length. */
export function verifyLog(db: Database, { exported, mostIssues, onProgress, signal }: VerifyLogOptions = {}) {
  return atOneMoment(db, async (tx) => {
    const head = await findChainHead(tx);
    const total = Number(head.seq);
    async function* watched(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
      let done = 0;
      for await (const event of events) {
        yield event;
        done += 1;
        if (done % EVENTS_PER_REPORT !== 0) continue;
        onProgress?.({ done, total: Math.max(total, done) });
        signal?.throwIfAborted();
      }
    }
    const events = watched(walkEvents(tx));
    return {
      head,
      ...(await verifyChain({ events, head, exported, ...(mostIssues !== undefined && { mostIssues }) })),
    };
  });
}
