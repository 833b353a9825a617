import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isReachable } from '../ledger/queries/databaseHome.ts';

/** Whoever asks has given us 2 seconds. */
const PROBE_TIMEOUT_MS = 1_500;
/** Of the oldest command. One batch takes milliseconds. */
const MOST_PATIENT_MS = 3_000;

type ReadinessParts = { db: Database; ledger: Ledger; isDraining(): boolean };

/** Answers within 2 seconds what keeps this process from serving players, or undefined when nothing does. */
export function createReadiness({ db, ledger, isDraining }: ReadinessParts): () => Promise<string | undefined> {
  let probe: Promise<boolean> | undefined;
  return async () => {
    if (isDraining()) return 'draining';
    if (ledger.oldestMs() > MOST_PATIENT_MS) return 'the database keeps players waiting';
    // One at a time, however often it is asked: a probe without an answer holds a connection.
    probe ??= isReachable(db).finally(() => {
      probe = undefined;
    });
    const reachable = await Promise.race([probe, wait(PROBE_TIMEOUT_MS, false, { ref: false })]);
    return reachable ? undefined : 'the database cannot be reached';
  };
}
