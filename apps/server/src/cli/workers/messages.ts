import type { ServeJob } from '../serveJob.ts';

/** By what a worker sees that it has loaded the same games as the first process. */
export type GameMark = { gameID: string; version: string; mathSha256: string };

export type WorkerJob = ServeJob & { games: GameMark[] };

/** What the first process says to a worker. Anything else on the channel is prom-client's. */
export type ToWorker =
  | { type: 'start'; job: WorkerJob }
  | { type: 'stop' }
  | { type: 'figures'; id: number; text: string }
  | { type: 'noFigures'; id: number; why: string };

/** What a worker says to the first process. */
export type FromWorker =
  | { type: 'listening'; url: string }
  /** It is not ready any more, and answers until the pause of the job is over. */
  | { type: 'draining' }
  /** It is about to end, and this is why, in one line. */
  | { type: 'failed'; reason: string }
  | { type: 'figuresWanted'; id: number };
