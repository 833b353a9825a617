import os from 'node:os';

const REPEATED_WITHIN_MS = 1_000;
const SIGNAL_EXIT_CODE = 128;

export type Stop = {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP. */
  stopped: Promise<NodeJS.Signals>;
  /** The same for what can be aborted; its reason is a StoppedEarly. */
  signal: AbortSignal;
};

/** A signal came before there was anything to finish. */
export class StoppedEarly extends Error {
  override name = 'StoppedEarly';
  /** As shells count it: 130 for SIGINT, 143 for SIGTERM. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`${signal}: stopped before it was done.`);
    this.exitCode = SIGNAL_EXIT_CODE + os.constants.signals[signal];
  }
}

/** What was opened, to be closed in the opposite order, whether the command ends well or not. */
export class CleanUp {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** Takes every step, also after one that failed: the database must not stay behind because a socket did not close. */
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

/** Runs a command that can be told to stop, and closes what it opened however it ends. */
export async function runUntilStopped(work: (stop: Stop, cleanUp: CleanUp) => Promise<void>): Promise<void> {
  const stop = untilStopped();
  const cleanUp = new CleanUp();
  try {
    await work(stop, cleanUp);
  } catch (error) {
    // A terminal's Ctrl-C reaches our children too: what they then failed at is not what the user is to be told.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    await cleanUp.run();
  }
}

/**
 * A second signal ends the process at once, for whoever does not want to wait for requests in flight; but within the first
 * second it is the first one again, sent by a terminal and by npm.
 */
function untilStopped(): Stop {
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
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
  return { stopped, signal: abort.signal };
}
