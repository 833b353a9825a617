import type { EventEmitter } from 'node:events';
import type { MetricObject } from 'prom-client';
import type { ServeJob } from '../cli/serveJob.ts';
import type { Catalogue } from '../games/catalogue.ts';

/** `games` is the gamesMark of the primary. */
export type WorkerJob = ServeJob & { games: string };

/** What primary and workers send to each other. */
type Message =
  /** The worker receives messages. */
  | { type: 'ready' }
  | { type: 'start'; job: WorkerJob }
  | { type: 'listening'; url: string }
  | { type: 'stop' }
  /** The worker is not ready any more. It serves until what is in flight is done. */
  | { type: 'draining' }
  /** The worker is about to end; the reason is one line. */
  | { type: 'failed'; reason: string }
  /**
   * The primary collects the metrics of every worker, and sends them to the worker that wants them.
   */
  | { type: 'reportWanted' }
  | { type: 'metricsWanted' }
  | { type: 'metrics'; metrics: MetricObject[] }
  | { type: 'report'; report: Report };

/** In the format of Prometheus. */
export type Report = { text: string } | { error: string };

export type Send = (message: Message, onSent?: () => void) => void;

/** Resolves with the next message of this type. */
export function nextMessage<Type extends Message['type']>(
  from: EventEmitter,
  type: Type,
): Promise<Extract<Message, { type: Type }>> {
  return new Promise((resolve) => {
    const listener = (message: Message) => {
      if (message.type !== type) return;
      from.off('message', listener);
      resolve(message as Extract<Message, { type: Type }>);
    };
    from.on('message', listener);
  });
}

/** Equal for processes that have loaded the same games. */
export function gamesMark({ games }: Catalogue): string {
  return JSON.stringify(games.map(({ gameID, version, math }) => [gameID, version, math.sha256]));
}
