import { Presets, SingleBar } from 'cli-progress';

const MIN_MS_BETWEEN_LINES = 2_000;

/**
 * A step is under way. `what` says how much of it, such as "120 books"; `of` says of what, such as
 * "3.2 MB".
 */
type Progress = { name: string; done: number; total: number; what: string; of: string };

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
          { stream: out, format: '  {name} {bar} {percentage}% {what}, {eta_formatted} left' },
          Presets.shades_classic,
        );
        bar.start(progress.total, 0, { name, what: progress.what });
      }
      bar?.update(progress.done, { what: progress.what });
    },
    end,
  };
}

function lineView(out: NodeJS.WriteStream): ProgressView {
  let lastAtMs = performance.now();
  let unwritten: Progress | undefined;
  const write = () => {
    if (unwritten === undefined) return;
    const { name, done, total, what, of } = unwritten;
    out.write(`  ${name}: ${what}, ${Math.floor((100 * done) / Math.max(total, 1))} % of ${of}\n`);
    unwritten = undefined;
    lastAtMs = performance.now();
  };
  return {
    show(progress) {
      // The last text about a step is always written, however fast it was.
      if (unwritten !== undefined && unwritten.name !== progress.name) write();
      unwritten = progress;
      if (performance.now() - lastAtMs >= MIN_MS_BETWEEN_LINES) write();
    },
    end: write,
  };
}
