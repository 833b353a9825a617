import { Easing, Group, Tween } from '@tweenjs/tween.js';

type TweenOptions = {
  readonly ms: number;
  readonly delayMs?: number;
  readonly easing?: (part: number) => number;
  /** When it is aborted the tween jumps to its end. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * A frame that took longer than this (a hidden tab, a debugger) counts as this long. Shorter would
 * make slow machines play in slow motion.
 */
const LONGEST_FRAME_MS = 1000;

/** Frames come this much early or late. */
const JITTER_MS = 2;

/**
 * Keeps the time of the picture. It runs with the browser's frames and stops while the tab is
 * hidden. `onFrame` gets the milliseconds since the last frame.
 */
export class Clock {
  nowMs = 0;
  /** The least milliseconds between two frames; 0 means every frame of the screen. */
  shortestFrameMs = 0;
  private readonly onFrame: (deltaMs: number) => void;
  private readonly group = new Group();
  private readonly endings = new Set<() => void>();
  private request = 0;
  private lastMs = -1;
  private stopped = false;

  constructor(onFrame: (deltaMs: number) => void) {
    this.onFrame = onFrame;
  }

  /** Returns whether something moves or waits. */
  get busy(): boolean {
    return this.endings.size > 0;
  }

  start(): void {
    if (this.request !== 0 || this.stopped) return;
    this.lastMs = -1;
    this.request = requestAnimationFrame(this.frame);
  }

  /** Ends the clock. Waits and tweens jump to their end, so that nothing waits for ever. */
  stop(): void {
    this.stopped = true;
    cancelAnimationFrame(this.request);
    for (const end of [...this.endings]) end();
    this.group.removeAll();
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return this.tween({ part: 0 }, { part: 1 }, { ms, signal });
  }

  /** Resolves at the end, also when it was cut short. */
  tween<T extends object>(
    target: T,
    to: { readonly [K in keyof T as T[K] extends number ? K : never]?: number },
    options: TweenOptions,
  ): Promise<void> {
    if (this.stopped || options.signal?.aborted || options.ms + (options.delayMs ?? 0) <= 0) {
      Object.assign(target, to);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const tween = new Tween(target, this.group).to(to, options.ms).easing(options.easing ?? Easing.Linear.None);
      if (options.delayMs !== undefined) tween.delay(options.delayMs);
      const end = () => tween.end();
      tween.onComplete(() => {
        this.group.remove(tween);
        this.endings.delete(end);
        options.signal?.removeEventListener('abort', end);
        resolve();
      });
      this.endings.add(end);
      options.signal?.addEventListener('abort', end, { once: true });
      tween.start(this.nowMs);
    });
  }

  private readonly frame = (timeMs: number): void => {
    if (this.stopped) return;
    this.request = requestAnimationFrame(this.frame);
    if (timeMs - this.lastMs < this.shortestFrameMs - JITTER_MS) return;
    const deltaMs = this.lastMs < 0 ? 16 : Math.min(timeMs - this.lastMs, LONGEST_FRAME_MS);
    this.lastMs = timeMs;
    if (deltaMs <= 0) return;
    this.nowMs += deltaMs;
    this.group.update(this.nowMs, true);
    this.onFrame(deltaMs);
  };
}

/** Only these frames are measured. The first frames of a game are slow on every machine. */
const WARM_UP_MS = 800;
const SAMPLE_MS = 900;
const SAMPLE_FRAMES = 8;
/** A machine whose frames take longer than this on average draws less. */
const SLOW_MS = 30;

/**
 * Measures frames and reports once when the machine is too slow for the full picture. It never goes
 * back, because that would flicker.
 */
export class FrameBudget {
  private frames = 0;
  private sumMs = -WARM_UP_MS;
  private spent = false;

  /** Returns true once, in the frame in which a slow machine is recognised. */
  exceeded(deltaMs: number): boolean {
    if (this.spent) return false;
    this.sumMs += deltaMs;
    if (this.sumMs <= 0) return false;
    this.frames++;
    if (this.sumMs < SAMPLE_MS || this.frames < SAMPLE_FRAMES) return false;
    this.spent = this.sumMs / this.frames > SLOW_MS;
    this.frames = 0;
    this.sumMs = 0;
    return this.spent;
  }
}
