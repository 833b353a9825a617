import type { Clock } from '../clock.ts';

type Timer = { readonly dueMs: number; readonly run: () => void };

/** Virtual time: the next timer runs when nothing else is left to do. */
export function createVirtualClock(): Clock {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let isPumping = false;

  const pump = () => {
    const [next] = [...timers].sort((left, right) => left.dueMs - right.dueMs);
    isPumping = next !== undefined;
    if (!next) return;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.dueMs);
    next.run();
    setTimeout(pump, 0);
  };
  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const timer = { dueMs: nowMs + delayMs, run };
      timers.add(timer);
      if (!isPumping) setTimeout(pump, 0);
      isPumping = true;
      return () => timers.delete(timer);
    },
  };
}
