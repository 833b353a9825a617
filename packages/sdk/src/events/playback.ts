/** Says how fast events are shown. */
export type Pace = 'normal' | 'turbo' | 'superTurbo' | 'instant';

/** Every wait is multiplied by this. */
export const PACE_FACTORS: Readonly<Record<Pace, number>> = { normal: 1, turbo: 0.5, superTurbo: 0.25, instant: 0 };

/** A handler gets this as its second argument. */
export type PlayControls = {
  /**
   * It is the pace now. It may change while the handler runs. It is 'instant' after skip(), and
   * while the play catches up to a resumed event.
   */
  readonly pace: Pace;
  /** The place of this event in the book, from 0. */
  readonly index: number;
  /**
   * Resolves after this many milliseconds at the normal pace: after half of them at 'turbo', a
   * quarter at 'superTurbo', none at 'instant'. A change of pace counts for what is left. Rejects
   * with PlaybackStoppedError on stop().
   */
  wait(ms: number): Promise<void>;
  /**
   * Calls the listener once, as soon as this event has to be shown without waiting: on skip() and
   * on a change to 'instant', or right after this call when it is so already. Ends with the
   * handler, or when the returned function is called.
   */
  onSkip(listener: () => void): () => void;
};

/** Has one handler for every type of event of a book. A missing one does not compile. */
export type EventHandlers<E extends { type: string }> = {
  [T in E['type']]: (event: Extract<E, { type: T }>, controls: PlayControls) => void | Promise<void>;
};

/** The error of a stopped play, and of every wait that was running in it. */
export class PlaybackStoppedError extends Error {
  override readonly name = 'PlaybackStoppedError';

  constructor() {
    super('the play of these events was stopped');
  }
}

/** The error of a play whose handler or onEvent failed. `cause` is the error itself. */
export class EventHandlerError extends Error {
  override readonly name = 'EventHandlerError';
  /** The place of the event in the book. */
  readonly index: number;

  constructor({ index, type, cause }: { index: number; type: string; cause: unknown }) {
    super(`event ${index} (${type}) could not be shown: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.index = index;
  }
}

/** One event that is being shown. */
type Step = { readonly index: number; readonly type: string; readonly isCatchingUp: boolean };

/**
 * One play of one book, from its first event to its last: its pace, its waits, and who listens for
 * a skip.
 */
export class Playback {
  /** Rejects when the play is over before its last event; never resolves. */
  readonly aborted: Promise<never>;
  #pace: Pace;
  #isSkipped = false;
  #error: Error | undefined;
  #rejectAborted: (error: Error) => void = () => {};
  // It belongs to the whole play and not to one event: a handler may leave a wait running when it
  // is done, and a skip must also end that.
  readonly #waits = new Set<ScaledWait>();
  readonly #skipListeners = new Map<() => void, Step>();

  constructor(pace: Pace) {
    this.#pace = pace;
    this.aborted = new Promise<never>((_, reject) => {
      this.#rejectAborted = reject;
    });
  }

  /**
   * Shows one event. Listeners that its handler leaves behind must not get the skip of a later one.
   */
  async showStep(step: Step, show: (controls: PlayControls) => Promise<void>): Promise<void> {
    try {
      await show(this.#controlsOf(step));
      this.throwIfAborted();
    } catch (cause) {
      this.#fail(step, cause);
      this.throwIfAborted();
    } finally {
      this.#skipListeners.clear();
    }
  }

  setPace(pace: Pace): void {
    this.#pace = pace;
    this.#followPace();
  }

  skip(): void {
    this.#isSkipped = true;
    this.#followPace();
  }

  stop(): void {
    this.#abort(new PlaybackStoppedError());
  }

  throwIfAborted(): void {
    if (this.#error) throw this.#error;
  }

  #fail({ index, type }: Step, cause: unknown): void {
    this.#abort(new EventHandlerError({ index, type, cause }));
  }

  #abort(error: Error): void {
    if (this.#error) return;
    this.#error = error;
    this.#rejectAborted(error);
    this.#skipListeners.clear();
    for (const wait of this.#waits) wait.fail(error);
  }

  #paceOf(step: Step): Pace {
    return this.#isSkipped || step.isCatchingUp ? 'instant' : this.#pace;
  }

  #followPace(): void {
    const pace = this.#isSkipped ? 'instant' : this.#pace;
    for (const wait of this.#waits) wait.setPace(pace);
    if (pace === 'instant') for (const listener of this.#skipListeners.keys()) this.#tellSkipped(listener);
  }

  #tellSkipped(listener: () => void): void {
    const step = this.#skipListeners.get(listener);
    if (!step) return;
    this.#skipListeners.delete(listener);
    try {
      listener();
    } catch (cause) {
      this.#fail(step, cause);
    }
  }

  #controlsOf(step: Step): PlayControls {
    const getPace = () => this.#paceOf(step);
    return {
      get pace() {
        return getPace();
      },
      index: step.index,
      wait: (ms) => this.#wait(ms, getPace()),
      onSkip: (listener) => {
        const once = () => listener();
        this.#skipListeners.set(once, step);
        // It is called in a later microtask, so that the caller has what this function returns.
        if (getPace() === 'instant') queueMicrotask(() => this.#tellSkipped(once));
        return () => this.#skipListeners.delete(once);
      },
    };
  }

  #wait(ms: number, pace: Pace): Promise<void> {
    const wait = new ScaledWait({ ms, pace, onEnd: () => this.#waits.delete(wait) });
    this.#waits.add(wait);
    if (this.#error) wait.fail(this.#error);
    else wait.start();
    return wait.promise;
  }
}

/** A wait whose pace may change while it runs. */
class ScaledWait {
  readonly promise: Promise<void>;
  /** It is what is left at the normal pace. */
  #leftMs: number;
  #pace: Pace;
  #armedAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onEnd: () => void;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor({ ms, pace, onEnd }: { ms: number; pace: Pace; onEnd: () => void }) {
    this.#leftMs = ms > 0 ? ms : 0;
    this.#pace = pace;
    this.#onEnd = onEnd;
    this.promise = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A handler may start a wait and never await it: a stop must not become an unhandled rejection.
    this.promise.catch(() => {});
  }

  start(): void {
    const delayMs = this.#leftMs * PACE_FACTORS[this.#pace];
    if (delayMs > 0) {
      this.#armedAtMs = performance.now();
      this.#timer = setTimeout(() => this.#finish(), delayMs);
    } else {
      this.#finish();
    }
  }

  setPace(pace: Pace): void {
    clearTimeout(this.#timer);
    const passedMs = (performance.now() - this.#armedAtMs) / PACE_FACTORS[this.#pace];
    this.#leftMs = Math.max(0, this.#leftMs - passedMs);
    this.#pace = pace;
    this.start();
  }

  fail(error: Error): void {
    clearTimeout(this.#timer);
    this.#onEnd();
    this.#reject(error);
  }

  #finish(): void {
    this.#onEnd();
    this.#resolve();
  }
}
