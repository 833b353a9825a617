import { PassThrough } from 'node:stream';

/**
 * Yields the lines that `work` emits while it runs, and ends when it ends. An error of `work` comes
 * after its lines.
 */
export async function* emitted<Line extends object>(
  work: (emit: (line: Line) => void) => Promise<void>,
): AsyncGenerator<Line> {
  const lines = new PassThrough({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  const done = work((line) => void lines.write(line)).finally(() => lines.end());
  // The loop below rethrows it; without a handler the process would end before.
  done.catch(() => {});
  for await (const line of lines) yield line as Line;
  await done;
}
