import os from 'node:os';

/**
 * A start may meet this error: a busy port, a missing folder. Its message is one line, shown
 * without a stack.
 */
export class StartError extends Error {
  override name = 'StartError';
}

const REPEATED_WITHIN_MS = 1_000;
const SIGNAL_EXIT_CODE = 128;

export type Stop = {
  /** Resolves at the first signal, which is SIGINT, SIGTERM or SIGHUP by default. */
  stopped: Promise<NodeJS.Signals>;
  /** It is aborted at the same moment; its reason is a StoppedEarly. */
  signal: AbortSignal;
};

/** A signal arrived before there was anything to finish. */
export class StoppedEarly extends Error {
  override name = 'StoppedEarly';
  /** Shells count it in this way: 130 for SIGINT, 143 for SIGTERM. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`${signal}: stopped before it was done.`);
    this.exitCode = SIGNAL_EXIT_CODE + os.constants.signals[signal];
  }
}

/** Closes what was opened, in the opposite order, also after an error. */
export class CleanUp {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /**
   * Takes every step, also after one that failed: a socket that does not close must not leave the
   * database running.
   */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command until it ends or a signal arrives, and closes what it opened. A command that does
 * something else at a SIGHUP leaves it out of `signals`.
 */
export async function runUntilStopped(
  work: (stop: Stop, cleanUp: CleanUp) => Promise<void>,
  { signals = STOP_SIGNALS }: { signals?: readonly NodeJS.Signals[] } = {},
): Promise<void> {
  const stop = untilStopped(signals);
  const cleanUp = new CleanUp();
  try {
    await work(stop, cleanUp);
  } catch (error) {
    // A terminal's Ctrl-C also reaches child processes: their failures are not the command's error.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    await cleanUp.run();
  }
}

/**
 * A second signal ends the process at once, without the requests in flight. Within the first second
 * it counts as the first one, which a terminal and npm both send.
 */
function untilStopped(signals: readonly NodeJS.Signals[]): Stop {
  const abort = new AbortController();
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        abort.abort(new StoppedEarly(signal));
        resolve(signal);
      } else if (nowMs - firstAtMs > REPEATED_WITHIN_MS) process.exit(1);
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
  return { stopped, signal: abort.signal };
}
