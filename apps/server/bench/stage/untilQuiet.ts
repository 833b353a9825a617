import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../dist/ledger/database.js';

const POLL_MS = 20;
/** Between two statements of a server the database has nothing to do for a moment, too. */
const LOOKS = 4;
/** What goes on for longer is not the rest of a sample. */
const LONGEST_MS = 5_000;

/** Resolves when no client of PostgreSQL has had anything running for a few looks. */
export async function untilQuiet(db: Database): Promise<void> {
  const startedMs = performance.now();
  for (let quiet = 0; quiet < LOOKS && performance.now() - startedMs < LONGEST_MS; await wait(POLL_MS)) {
    const [active] = await db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;
    quiet = active?.count === 0n ? quiet + 1 : 0;
  }
}
