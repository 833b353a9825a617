import type { ObservedBatch, ObservedResponse, WriterChange } from '@roundhouse/service';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Database } from '../../store/database/database.ts';
import { batchMetrics } from './batchMetrics.ts';
import { type NodeReads, registerNodeReads } from './nodeReads.ts';
import { type ObservedPlay, playerMetrics } from './playerMetrics.ts';
import { processMetrics } from './processMetrics.ts';
import type { Readings } from './readings.ts';
import { type ReportFormat, reportText } from './report.ts';
import { type ObservedWalletRequest, walletMetrics } from './walletMetrics.ts';

/** Several processes that serve together share them. */
export type SharedMetrics = {
  share(own: Registry): void;
  /** Returns the metrics of all processes. */
  report(format: ReportFormat): Promise<string>;
};

/**
 * Features call the observers of it. Every value of a label is of a closed set, or a name that the
 * server's owner has given to an operator or a game: no text of a client becomes a label.
 */
export type Metrics = {
  /** Reports this process, or all that serve together. */
  report(format: ReportFormat): Promise<string>;
  observeRequest(response: ObservedResponse): void;
  observePlay(play: ObservedPlay): void;
  /** A read of a book took `ms` milliseconds. */
  observeBookRead(game: string, ms: number): void;
  /** A request was refused, because too many wait in the queue. */
  observeOverload(queue: string): void;
  observeBatch(command: string, batch: ObservedBatch): void;
  /** Another server of the database takes writes, the same one again, or none. */
  observeDatabaseChange(change: WriterChange): void;
  observeDatabaseError(error: unknown): void;
  /** The health tests of the random number generator call it with their result. */
  observeRandomTest(result: 'passed' | 'failed'): void;
  /** Called after every request. */
  observeWalletRequest(request: ObservedWalletRequest): void;
  observeClosings(request: { closings: number }): void;
  /** A report reads some values where they are. A reading that was not given yet has no values. */
  readFrom(readings: Partial<Readings>): void;
};

type MetricsDeps = {
  db: Database;
  /** The node opens no rounds for these reasons. */
  roundStops: { readonly reasons: ReadonlySet<string> };
  /** Returns undefined while the offset is not known. */
  clockOffsetSeconds?: (() => number | undefined) | undefined;
  /** One process of a node has them. */
  nodeReads?: NodeReads | undefined;
};

export function createMetrics(deps: MetricsDeps, shared?: SharedMetrics): Metrics {
  const { db, nodeReads } = deps;
  const registry = new Registry();
  const readings: Partial<Readings> = {};
  collectDefaultMetrics({ register: registry });
  const observers = {
    ...playerMetrics(registry, { db, readings }),
    ...batchMetrics(registry, db),
    ...walletMetrics(registry, readings),
    ...processMetrics(registry, deps),
  };
  if (nodeReads !== undefined) registerNodeReads(registry, { db, ...nodeReads });
  shared?.share(registry);
  return {
    ...observers,
    report: async (format) =>
      shared === undefined ? reportText([await registry.getMetricsAsJSON()], format) : shared.report(format),
    readFrom: (more) => void Object.assign(readings, more),
  };
}
