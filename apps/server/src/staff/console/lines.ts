import type { StreamLine } from './stream.ts';

/**
 * A job sends its lines by `emit`. It ends soon after `signal` is aborted: nobody reads any more.
 */
type Job = (emit: (line: StreamLine) => void, signal: AbortSignal) => Promise<StreamLine>;

/**
 * Runs a job, and returns its lines as they come; the last one is its result. A progress that was
 * not read yet gives way to the next one, so a slow reader costs no memory.
 */
export async function* linesOf(job: Job): AsyncGenerator<StreamLine> {
  const waiting: StreamLine[] = [];
  const cancelling = new AbortController();
  let wake = () => {};
  let isDone = false;
  const emit = (line: StreamLine) => {
    if (line.kind === 'progress' && waiting.at(-1)?.kind === 'progress') waiting.pop();
    waiting.push(line);
    wake();
  };
  const running = job(emit, cancelling.signal).then(emit);
  // The error is thrown below. A cancelled job also throws, and nobody waits for it.
  running
    .catch(() => {})
    .finally(() => {
      isDone = true;
      wake();
    });
  try {
    for (;;) {
      const line = waiting.shift();
      if (line !== undefined) yield line;
      else if (isDone) return await running;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    cancelling.abort();
  }
}
