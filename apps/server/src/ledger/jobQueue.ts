import { limitsOf, NO_LIMITS, openClient, openPool } from '@roundhouse/service';
import { Logger as JobLogger, type Logger as QueueLogger, type Runner, run, runMigrations } from 'graphile-worker';

/**
 * The queue in which due calls to wallets wait for a node: rows of PostgreSQL, handed out by graphile-worker. The queue carries names
 * of work and no money: all that it holds can be made again from wallet_transactions.
 */
export type JobQueue = {
  /** A job that waits already under the same name is not added twice. */
  add(transactionIDs: readonly string[]): Promise<void>;
  /** Finishes the jobs in hand. */
  stop(): Promise<void>;
};

export type JobQueueOptions = {
  databaseUrl: string;
  /** Jobs of this process at once. */
  concurrency: number;
  handle: (transactionID: string) => Promise<void>;
  /** Told what the queue complains of. */
  complain: (message: string) => void;
};

const TASK = 'send_wallet_transaction';
const POLL_MS = 1_000;
/** Of our own choice, and unlike that of our migrations. */
const ADVISORY_LOCK = 4_021_650_172;

// One attempt: when to try again stands in wallet_transactions, where everybody can read it.
const ADD_JOBS = `
SELECT graphile_worker.add_job('${TASK}', json_build_object('transactionID', transaction_id), job_key := transaction_id, max_attempts := 1)
FROM unnest($1::text[]) AS transaction_id`;

/**
 * Brings the queue's own schema up to date. A server does it too when it starts, if it may. One at a time: two that make the schema at
 * once fail, since PostgreSQL's own "if not exists" looks and makes in two steps.
 */
export async function migrateJobQueue(databaseUrl: string): Promise<void> {
  const lock = await openClient(databaseUrl);
  // Not the queue's own pool: it ends that without waiting, and no longer listens to connections that break meanwhile.
  const pool = openPool({ url: databaseUrl, connections: 2, limits: NO_LIMITS });
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await runMigrations({ pgPool: pool, logger: quietLogger(() => {}) });
  } finally {
    await Promise.all([pool.end(), lock.end()]);
  }
}

export async function startJobQueue({
  databaseUrl,
  concurrency,
  handle,
  complain,
}: JobQueueOptions): Promise<JobQueue> {
  await migrateJobQueue(databaseUrl);
  // One listens. A job holds one only while it is taken and while it is put away, so there are seldom as many as this.
  const pool = openPool({
    url: databaseUrl,
    connections: concurrency + 1,
    limits: limitsOf(),
    application_name: 'roundhouse recovery',
    onError: (error) => complain(error.message),
  });
  const runner: Runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: quietLogger(complain),
    taskList: { [TASK]: (payload) => handle((payload as { transactionID: string }).transactionID) },
  });
  return {
    async add(transactionIDs) {
      await pool.query(ADD_JOBS, [transactionIDs]);
    },
    async stop() {
      await runner.stop();
      await pool.end();
    },
  };
}

function quietLogger(complain: (message: string) => void): QueueLogger {
  return new JobLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') complain(message);
  });
}
