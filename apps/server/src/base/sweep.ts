/** A sweep repeats work in the background. */
export type Sweep = { stop(): Promise<void> };

type SweepOptions = {
  /** The pause of the sweep when there is nothing left to do, in milliseconds. */
  pauseMs: number;
  /** Called when the work fails. The sweep repeats the work after the pause. */
  onError: (error: unknown) => void;
};

/** The pause before the next step, after a step that has not done everything. */
const PAUSE_OF_A_STEP_MS = 1_000;

/**
 * A step does little, so that no play waits for it. Returns whether there may be more to do. A step
 * that lasts reads whether the sweep has been stopped meanwhile.
 */
type Step = (isStopped: () => boolean) => Promise<boolean>;

/** Repeats a step, never two at once: the pause begins when the step is done. */
export function startSweep(step: Step, { pauseMs, onError }: SweepOptions): Sweep {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const next = () => {
    working = step(() => stopped)
      .catch((error: unknown) => {
        onError(error);
        return false;
      })
      .then((isMore) => {
        if (!stopped) timer = setTimeout(next, isMore ? Math.min(PAUSE_OF_A_STEP_MS, pauseMs) : pauseMs).unref();
      });
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
