import { PACE_FACTORS, type Pace } from './pace.ts';

/** A wait whose pace may change while it runs. */
export class ScaledWait {
  readonly promise: Promise<void>;
  /** What is left at the normal pace. */
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
    // A handler may start a wait and never look at it; a stop must not become an unhandled rejection then.
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
