/** Keeps requests from somebody who does not respond, and finds out when they respond again. */
export type Breaker<Result> = {
  /**
   * Returns whether a request would be refused now: within the pause after too many failures in a
   * row, and while one request tries whether they respond again.
   */
  isOpen(): boolean;
  /**
   * Runs the work. Returns undefined when the breaker is open. After a pause the first caller
   * tries, and all others are refused at once: they wait for nobody.
   */
  run(work: () => Promise<Result>): Promise<Result> | undefined;
};

export type BreakerOptions<Result> = {
  isFailure(result: Result): boolean;
  failuresInARow: number;
  pauseMs: number;
  /** Called with the failure that begins a pause, each time. */
  onBreak?: (failure: Result) => void;
  /** Called when they respond again. */
  onReset?: () => void;
};

/** Makes a breaker that is closed. Its one clock is that of `performance`, which nobody sets. */
export function createBreaker<Result>({
  isFailure,
  failuresInARow,
  pauseMs,
  onBreak = () => {},
  onReset = () => {},
}: BreakerOptions<Result>): Breaker<Result> {
  let failures = 0;
  /** It is undefined while the breaker is closed. */
  let pausedUntilMs: number | undefined;
  let isTrying = false;

  const isOpen = () => pausedUntilMs !== undefined && (isTrying || performance.now() < pausedUntilMs);

  function breakNow(failure: Result): void {
    pausedUntilMs = performance.now() + pauseMs;
    onBreak(failure);
  }

  async function tryOnce(work: () => Promise<Result>): Promise<Result> {
    isTrying = true;
    try {
      const result = await work();
      if (isFailure(result)) breakNow(result);
      else {
        failures = 0;
        pausedUntilMs = undefined;
        onReset();
      }
      return result;
    } finally {
      isTrying = false;
    }
  }

  async function count(work: () => Promise<Result>): Promise<Result> {
    const result = await work();
    failures = isFailure(result) ? failures + 1 : 0;
    // A result of a request from before the pause says nothing new.
    if (failures >= failuresInARow && pausedUntilMs === undefined) breakNow(result);
    return result;
  }

  return {
    isOpen,
    run(work) {
      if (isOpen()) return undefined;
      return pausedUntilMs === undefined ? count(work) : tryOnce(work);
    },
  };
}
