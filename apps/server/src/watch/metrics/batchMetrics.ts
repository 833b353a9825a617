import {
  isConnectionLost,
  type ObservedBatch,
  type ServerChange,
  sqlState,
  type WriterChange,
} from '@roundhouse/service';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../store/database/database.ts';
import { createHistogram } from './histogram.ts';

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;

/** docs/metrics.md says what each of them means. Class 08 counts as one. */
const SQL_STATES: ReadonlySet<string> = new Set([
  ...['25006', '40001', '40P01', '53100', '53200', '53300'],
  ...['55P03', '57014', '57P01', '57P02', '57P03'],
]);

const CHANGES = ['promoted', 'moved', 'restarted'] satisfies ServerChange[];

type Connections = Pick<Database, 'pool' | 'anonymous' | 'leases' | 'writer'>;

/** Counts batches and what the database does with them. */
export function batchMetrics(registry: Registry, db: Connections) {
  const registers = [registry];
  const sizes = createHistogram({
    name: 'roundhouse_batch_size',
    help: 'Commands in a batch.',
    labelNames: ['command'],
    buckets: SIZES,
    registry,
  });
  const waits = createHistogram({
    name: 'roundhouse_batch_wait_seconds',
    help: 'Time for which the oldest command of a batch has waited.',
    labelNames: ['command'],
    buckets: SECONDS,
    registry,
  });
  const durations = createHistogram({
    name: 'roundhouse_batch_duration_seconds',
    help: 'Time of a batch in the database, including retries.',
    labelNames: ['command', 'result'],
    buckets: SECONDS,
    registry,
  });
  const changes = new Counter({
    name: 'roundhouse_database_changes_total',
    help: 'Changes of the database server that takes the writes. Each process counts them.',
    labelNames: ['kind'],
    registers,
  });
  const outages = new Counter({
    name: 'roundhouse_database_outages_total',
    help: 'Outages in which no database server takes writes. Each process counts them.',
    registers,
  });
  const errors = new Counter({
    name: 'roundhouse_database_errors_total',
    help: 'Failed statements of batches, by SQLSTATE, including those that succeeded when sent again.',
    labelNames: ['code'],
    registers,
  });
  // A counter that begins with its first event has no increase at that moment.
  for (const kind of CHANGES) changes.inc({ kind }, 0);
  for (const code of [...SQL_STATES, '08', 'other']) errors.inc({ code }, 0);
  registerDatabaseGauges(registry, db);

  return {
    observeBatch(command: string, { size, waitedMs, ranMs, isFailed }: ObservedBatch): void {
      sizes.at(command).observe(size);
      waits.at(command).observe(waitedMs / MS_PER_SECOND);
      durations.at(command, isFailed ? 'failed' : 'ok').observe(ranMs / MS_PER_SECOND);
    },
    observeDatabaseChange(change: WriterChange): void {
      if (change.host === undefined) outages.inc();
      // A server that has returned is the same one.
      else if (change.kind !== 'returned') changes.inc({ kind: change.kind });
    },
    observeDatabaseError: (error: unknown) => errors.inc({ code: codeOf(error) }),
  };
}

function codeOf(error: unknown): string {
  const state = sqlState(error);
  if (state !== undefined && SQL_STATES.has(state)) return state;
  return state?.startsWith('08') || (state === undefined && isConnectionLost(error)) ? '08' : 'other';
}

function registerDatabaseGauges(registry: Registry, { pool, anonymous, leases, writer }: Connections): void {
  const registers = [registry];
  const pools = Object.entries({ players: pool, anonymous, leases });
  new Gauge({
    name: 'roundhouse_database_connections',
    help: 'Open connections to the database.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [name, { totalCount, idleCount }] of pools) {
        this.set({ pool: name, state: 'in_use' }, totalCount - idleCount);
        this.set({ pool: name, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'roundhouse_database_connections_max',
    help: 'Connections to the database that a pool may have.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [name, { options }] of pools) this.set({ pool: name }, options.max);
    },
  });
  new Gauge({
    name: 'roundhouse_database_waiting',
    help: 'Statements that wait for a connection.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [name, { waitingCount }] of pools) this.set({ pool: name }, waitingCount);
    },
  });
  new Gauge({
    name: 'roundhouse_database_writable',
    help: 'Is 1 when a database server takes writes, 0 when one of the processes finds none.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(writer.isKnown ? 1 : 0);
    },
  });
}
