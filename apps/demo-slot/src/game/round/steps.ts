import type { Signal } from '@preact/signals-core';
import { PACE_FACTORS, type Pace } from '@roundhouse/sdk/events';
import type { Clock, Showing } from '../ports.ts';
import type { MovingStep } from '../store.ts';

type ShowStep = (showing: Showing) => Promise<void>;

/** Runs the steps on the screen, and is the one place that cuts them short. */
export type Steps = {
  /** The reels turn. A stop before the board is known takes effect when it is. */
  turnReels(): void;
  stopReels(pace: Pace, step: ShowStep): Promise<void>;
  /** Shows anything else. Steps may overlap. */
  show(pace: Pace, step: ShowStep): Promise<void>;
  /** Waits this many milliseconds at the normal pace. */
  pause(pace: Pace, normalMs: number): Promise<void>;
  /** Cuts the running steps short. Later steps are shown in full. */
  cutShort(): void;
  /** While it is on, every step is cut short as soon as it begins. */
  rush(on: boolean): void;
  /** Ends steps beside the reels, such as lines that are shown in turn. */
  endShows(): void;
};

const NEVER = new AbortController().signal;

export function createSteps(moving: Signal<MovingStep | undefined>, clock: Clock): Steps {
  const shown = new Set<AbortController>();
  let reels: AbortController | undefined;
  let isRushed = false;

  const updateMoving = () => {
    moving.value = reels ? 'reels' : shown.size > 0 ? 'show' : undefined;
  };

  async function show(pace: Pace, step: ShowStep): Promise<void> {
    if (pace === 'instant') return step({ pace, skipped: NEVER });
    const controller = new AbortController();
    if (isRushed) controller.abort();
    shown.add(controller);
    updateMoving();
    try {
      await step({ pace, skipped: controller.signal });
    } finally {
      shown.delete(controller);
      updateMoving();
    }
  }

  const endShows = () => {
    for (const controller of shown) controller.abort();
  };

  return {
    turnReels() {
      reels ??= new AbortController();
      if (isRushed) reels.abort();
      updateMoving();
    },
    async stopReels(pace, step) {
      const skipped = reels?.signal ?? NEVER;
      try {
        await step({ pace, skipped });
      } finally {
        reels = undefined;
        updateMoving();
      }
    },
    show,
    pause: (pace, normalMs) => show(pace, ({ skipped }) => waitFor(clock, normalMs * PACE_FACTORS[pace], skipped)),
    cutShort() {
      reels?.abort();
      endShows();
    },
    rush(on) {
      isRushed = on;
      if (!on) return;
      reels?.abort();
      endShows();
    },
    endShows,
  };
}

function waitFor(clock: Clock, delayMs: number, skipped: AbortSignal): Promise<void> {
  if (delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    if (skipped.aborted) return end();
    skipped.addEventListener('abort', end, { once: true });
  });
}
