import { EventHandlerError, PlaybackStoppedError } from './errors.ts';
import type { Pace } from './pace.ts';
import type { PlayControls } from './playControls.ts';
import { ScaledWait } from './scaledWait.ts';

/** One event that is being shown. */
type Step = { readonly index: number; readonly type: string; readonly isCatchingUp: boolean };

/** One play of one book, from its first event to its last: its pace, its waits, and who listens for a skip. */
export class Playback {
  /** Rejects when the play is over before its last event; never resolves. */
  readonly aborted: Promise<never>;
  #pace: Pace;
  #isSkipped = false;
  #error: Error | undefined;
  #rejectAborted: (error: Error) => void = () => {};
  // Of the whole play and not of one event: a handler may leave a wait running when it is done, and a skip must end that, too.
  readonly #waits = new Set<ScaledWait>();
  readonly #skipListeners = new Map<() => void, Step>();

  constructor(pace: Pace) {
    this.#pace = pace;
    this.aborted = new Promise<never>((_, reject) => {
      this.#rejectAborted = reject;
    });
  }

  /** Shows one event. What its handler leaves listening must not hear of the skip of a later one. */
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
        // In a later microtask, so that the caller has what this function returns.
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
