import type { MetricObject } from 'prom-client';
import type { ServeJob } from '../cli/serveJob.ts';

/** By what a worker sees that it has loaded the same games as the first process. */
export type GameMark = { gameID: string; version: string; mathSha256: string };

export type WorkerJob = ServeJob & { games: GameMark[] };

/** What the first process says to a worker. */
export type ToWorker =
  | { type: 'start'; job: WorkerJob }
  | { type: 'stop' }
  | { type: 'figuresWanted'; id: number }
  | { type: 'allFigures'; id: number; figures: AllFigures };

/** What a worker says to the first process. */
export type FromWorker =
  /** It can hear: what is said to a worker before that is lost. */
  | { type: 'ready' }
  | { type: 'listening'; url: string }
  /** It is not ready for players any more, and answers until the pause of the job is over. */
  | { type: 'draining' }
  /** It is about to end, and this is why, in one line. */
  | { type: 'failed'; reason: string }
  | { type: 'figures'; id: number; figures: Figures }
  | { type: 'allFiguresWanted'; id: number };

/** The figures of one process, for prom-client to add up. */
export type Figures = MetricObject[];

/** Those of all workers as text, or why there are none. */
export type AllFigures = { text: string } | { fault: string };
