import type { Registry } from 'prom-client';
import type { SharedFigures } from '../http/metrics.ts';
import type { AllFigures, FromWorker, ToWorker, WorkerJob } from './messages.ts';
import { Questions } from './questions.ts';

/** The process that started this worker, as the worker sees it. */
export type FirstProcess = {
  job: Promise<WorkerJob>;
  /** Resolves when the worker is told to stop. */
  stopped: Promise<void>;
  /** Resolves when the message is on its way, or cannot be. */
  tell(message: FromWorker): Promise<void>;
  figures: SharedFigures;
};

export function listenToFirstProcess(): FirstProcess {
  const questions = new Questions<AllFigures>();
  let own: Registry | undefined;
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
    else if (message.type === 'stop') onStop();
    else if (message.type === 'figuresWanted') void tellFigures(own, message.id);
    else questions.answered(message.id, message.figures);
  });
  void tell({ type: 'ready' });
  return {
    job,
    stopped,
    tell,
    figures: {
      share(registry) {
        own = registry;
      },
      async collect() {
        const all = await questions.ask((id) => void tell({ type: 'allFiguresWanted', id }));
        if ('fault' in all) throw new Error(all.fault);
        return all.text;
      },
    },
  };
}

function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, undefined, {}, () => resolve()));
}

async function tellFigures(registry: Registry | undefined, id: number): Promise<void> {
  const figures = (await registry?.getMetricsAsJSON()) ?? [];
  await tell({ type: 'figures', id, figures });
}
