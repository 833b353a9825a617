import { Presets, SingleBar } from 'cli-progress';

const MIN_MS_BETWEEN_LINES = 2_000;
const MS_PER_SECOND = 1_000;

/** A step is under way. `says` tells how far in words, such as "3.1 of 10.2 MB, 66162 books". */
type Progress = { name: string; done: number; total: number; says: string };

type ProgressView = { show(progress: Progress): void; end(): void };

/** Shows a bar on a terminal, plain lines elsewhere (a log file, CI). */
export function createProgressView(out: NodeJS.WriteStream = process.stdout): ProgressView {
  return out.isTTY ? barView(out) : lineView(out);
}

function barView(out: NodeJS.WriteStream): ProgressView {
  let bar: SingleBar | undefined;
  let name: string | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
    name = undefined;
  };
  return {
    show(progress) {
      if (name !== progress.name) {
        end();
        name = progress.name;
        bar = new SingleBar(
          { stream: out, format: '  {name} {bar} {percentage}% {says}, {eta_formatted} left' },
          Presets.shades_classic,
        );
        bar.start(progress.total, 0, { name, says: progress.says });
      }
      bar?.update(progress.done, { says: progress.says });
    },
    end,
  };
}

function lineView(out: NodeJS.WriteStream): ProgressView {
  let startedAtMs = performance.now();
  let lastAtMs = startedAtMs;
  let last: Progress | undefined;
  let isWritten = true;
  const write = () => {
    if (last === undefined || isWritten) return;
    lastAtMs = performance.now();
    out.write(`  ${progressLine(last, lastAtMs - startedAtMs)}\n`);
    isWritten = true;
  };
  return {
    show(progress) {
      if (last?.name !== progress.name) {
        // The last text about a step is always written, however fast it was.
        write();
        startedAtMs = performance.now();
      }
      last = progress;
      isWritten = false;
      if (performance.now() - lastAtMs >= MIN_MS_BETWEEN_LINES) write();
    },
    end() {
      write();
      last = undefined;
    },
  };
}

/** How long still is guessed from how long the step has taken so far. */
export function progressLine({ name, done, total, says }: Progress, elapsedMs: number): string {
  const left = done > 0 && done < total ? Math.ceil((elapsedMs * (total - done)) / done / MS_PER_SECOND) : undefined;
  return `${name}: ${says}${left === undefined ? '' : `, ${left} s left`}`;
}
