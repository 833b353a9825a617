import { ExponentialBackoff, type IBackoff, noJitterGenerator } from 'cockatiel';

/** A worker that has lived this long is no longer one that keeps dying. */
const STEADY_MS = 30_000;
const FIRST_PAUSE_MS = 128;
const LONGEST_PAUSE_MS = 30_000;

/** How long the place of a worker that died stays empty: not at all the first time, then twice as long each time while they keep dying. */
export class RestartPauses {
  readonly #pauses = new ExponentialBackoff({
    initialDelay: FIRST_PAUSE_MS,
    maxDelay: LONGEST_PAUSE_MS,
    generator: noJitterGenerator,
  });
  #next: IBackoff<unknown> | undefined;

  /** In milliseconds, at most 30 seconds. */
  afterLifeOf(livedMs: number): number {
    if (livedMs >= STEADY_MS) this.#next = undefined;
    const pauseMs = this.#next?.duration ?? 0;
    this.#next = (this.#next ?? this.#pauses).next(undefined);
    return pauseMs;
  }
}
