import type { FromWorker, ToWorker, WorkerJob } from './messages.ts';

/** The process that started this worker, as the worker sees it. */
export type FirstProcess = {
  job: Promise<WorkerJob>;
  /** Resolves when the worker is told to stop. */
  stopped: Promise<void>;
  /** Resolves when the message is on its way, or cannot be. */
  tell(message: FromWorker): Promise<void>;
};

export function listenToFirstProcess(): FirstProcess {
  let onJob = (_job: WorkerJob) => {};
  let onStop = () => {};
  const job = new Promise<WorkerJob>((resolve) => {
    onJob = resolve;
  });
  const stopped = new Promise<void>((resolve) => {
    onStop = resolve;
  });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'start') onJob(message.job);
    if (message.type === 'stop') onStop();
  });
  return {
    job,
    stopped,
    tell: (message) => new Promise((resolve) => void process.send?.(message, undefined, {}, () => resolve())),
  };
}
