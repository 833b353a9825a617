import type { EventEmitter } from 'node:events';
import type { MetricObject } from 'prom-client';
import type { ReportFormat } from '../../watch/metrics/report.ts';
import type { NodeOptions } from './nodeOptions.ts';

/** What the primary sends to a worker: plain data only. */
export type WorkerJob = {
  options: NodeOptions;
  /**
   * True for the one worker of a node that retries the credits and rollbacks that are due, stores
   * the last round id, and deletes what has expired.
   */
  recovers: boolean;
  /** The reasons for which the node already opens no rounds. */
  roundStops: readonly string[];
  /** What the first worker of a node has found out. It is left out for that worker. */
  serves?: Served;
};

/** The facts that the first worker finds out. All workers of the node serve by them. */
export type Served = {
  folders: readonly string[];
  games: readonly { gameID: string; version: string; sha256: string }[];
};

/** Primary and workers exchange these messages. */
export type Message =
  /** The worker is ready to receive messages. */
  | { type: 'ready' }
  | { type: 'start'; job: WorkerJob }
  | { type: 'listening'; url: string; serves: Served }
  | { type: 'stop' }
  /** The worker is not ready any more. It serves until the requests in flight are done. */
  | { type: 'draining' }
  /**
   * A worker has found a reason to open no more rounds; the primary forwards it to every worker.
   */
  | { type: 'roundsStopped'; reason: string }
  /** The reason is gone; the primary says so to every worker. */
  | { type: 'roundsResumed'; reason: string }
  /** The worker is about to end; the reason is one line. */
  | { type: 'failed'; reason: string }
  /**
   * The primary collects the metrics of every worker, and sends them to the worker that requested
   * them.
   */
  | ({ type: 'reportWanted' } & ReportFormat)
  | { type: 'metricsWanted'; request: number }
  | { type: 'metrics'; request: number; metrics: MetricObject[] }
  /**
   * A worker sends its counters and histograms every few seconds, because it may die at any moment.
   */
  | { type: 'counted'; metrics: MetricObject[] }
  | ({ type: 'report'; text: string } & ReportFormat);

export type Send = (message: Message, onSent?: () => void) => void;

/** Resolves with the next message of this type that fits. */
export function nextMessage<Type extends Message['type']>(
  from: EventEmitter,
  type: Type,
  fits: (message: Extract<Message, { type: Type }>) => boolean = () => true,
): Promise<Extract<Message, { type: Type }>> {
  return new Promise((resolve) => {
    const listener = (message: Message) => {
      if (message.type !== type || !fits(message as Extract<Message, { type: Type }>)) return;
      from.off('message', listener);
      resolve(message as Extract<Message, { type: Type }>);
    };
    from.on('message', listener);
  });
}
