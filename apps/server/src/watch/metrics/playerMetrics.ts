import { setTimeout as wait } from 'node:timers/promises';
import { isErrorCode } from '@roundhouse/contract';
import type { ObservedResponse } from '@roundhouse/service';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Refusal } from '../../base/refusal.ts';
import type { Database } from '../../store/database/database.ts';
import { readOperatorCodes } from '../../store/operators/operators.ts';
import { createCounter } from './byLabels.ts';
import { createHistogram } from './histogram.ts';
import type { Readings } from './readings.ts';

export type ObservedPlay = {
  /** Undefined when this node does not serve it. */
  game: string | undefined;
  /** Undefined when the game does not have it. */
  mode: string | undefined;
  result: 'accepted' | 'replayed' | 'error' | Refusal;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;
const ACTIVE_MS = 5 * 60_000;
/** Metrics do not wait for a database that is away: Prometheus waits a few seconds only. */
const READ_TIMEOUT_MS = 2_000;
/** The system's page cache takes microseconds, a disk hardly ever within a millisecond. */
const SLOW_READ_MS = 1;

type PlayerMetricsDeps = { db: Database; readings: Partial<Readings> };

/** Counts what players get: requests, plays, refusals by overload, sessions, books. */
export function playerMetrics(registry: Registry, { db, readings }: PlayerMetricsDeps) {
  const registers = [registry];
  const requests = createHistogram({
    name: 'roundhouse_request_duration_seconds',
    help: 'Time from reading a request to its response.',
    labelNames: ['route', 'status', 'result'],
    buckets: SECONDS,
    registry,
  });
  const plays = createCounter({
    name: 'roundhouse_plays_total',
    help: 'Plays with a valid request. A replayed play repeats the key of a round that was opened before.',
    labelNames: ['game', 'mode', 'result'],
    registers,
  });
  const slowReads = new Counter({
    name: 'roundhouse_book_reads_slow_total',
    help: 'Books of plays that took over 1 ms to read, and so came from disk and not from memory.',
    labelNames: ['game'],
    registers,
  });
  const overloads = new Counter({
    name: 'roundhouse_overloads_total',
    help: 'Requests refused with nothing done: too many waited for the database, they waited too long, or too many connections were open.',
    labelNames: ['queue'],
    registers,
  });
  const codes = new Map<number, string>();
  new Gauge({
    name: 'roundhouse_sessions_active',
    help: 'Sessions with a request in the last 5 minutes. A session counts in each process that it has used.',
    labelNames: ['operator'],
    registers,
    async collect() {
      const counts = readings.activeSessions?.(ACTIVE_MS) ?? new Map<number, number>();
      await nameOperators(db, codes, [...counts.keys()]);
      this.reset();
      for (const [operatorID, count] of counts) {
        const operator = codes.get(operatorID);
        if (operator !== undefined) this.set({ operator }, count);
      }
    },
  });

  return {
    observeRequest({ route, status, error, traceID, durationMs }: ObservedResponse): void {
      const result = resultOf({ route, status, error });
      requests.at(route, status, result).observe(durationMs / MS_PER_SECOND, traceID);
    },
    observePlay: ({ game = 'unknown', mode = 'unknown', result }: ObservedPlay) => plays.count(game, mode, result),
    observeBookRead(game: string, ms: number): void {
      if (ms > SLOW_READ_MS) slowReads.inc({ game });
    },
    observeOverload: (queue: string) => overloads.inc({ queue }),
  };
}

/** A dialect has its own errors, which are not codes of ours. */
function resultOf({ route, status, error }: Pick<ObservedResponse, 'route' | 'status' | 'error'>): string {
  if (isErrorCode(error)) return error;
  return error === undefined && route !== 'other' && status < 400 ? 'ok' : 'none';
}

/**
 * Reads the codes of operators, when one has none yet. A database that is away leaves it without.
 */
async function nameOperators(db: Database, codes: Map<number, string>, operatorIDs: number[]): Promise<void> {
  if (operatorIDs.every((id) => codes.has(id))) return;
  const nothing = wait(READ_TIMEOUT_MS, [], { ref: false });
  const read = await Promise.race([readOperatorCodes(db).catch(() => []), nothing]);
  for (const { operatorID, code } of read) codes.set(operatorID, code);
}
