import { setTimeout as pause } from 'node:timers/promises';
import type { Alert, Prometheus } from './prometheus.ts';

const LOOK_MS = 200;

/** One alert with one set of labels. Times are those of performance.now(). */
export type Fired = { name: string; labels: Record<string, string>; firedMs: number; resolvedMs?: number };

/** Looks at the alerts five times a second, and remembers which have fired, and when. */
export function watchAlerts(prometheus: Pick<Prometheus, 'alerts'>) {
  const fired = new Map<string, Fired>();
  let isOver = false;
  let looks = 0;

  function look(alerts: readonly Alert[]): void {
    const nowMs = performance.now();
    const firing = new Set<string>();
    for (const { name, state, labels } of alerts) {
      if (state !== 'firing') continue;
      const key = JSON.stringify([name, labels]);
      firing.add(key);
      const known = fired.get(key);
      if (known === undefined) fired.set(key, { name, labels, firedMs: nowMs });
      else delete known.resolvedMs;
    }
    for (const [key, each] of fired) if (!firing.has(key)) each.resolvedMs ??= nowMs;
    looks += 1;
  }

  const looking = (async () => {
    for (; !isOver; await pause(LOOK_MS)) look(await prometheus.alerts());
  })();
  // stop() tells of an error.
  looking.catch(() => {});

  return {
    /** Returns all that have fired so far, in the order of their first time. */
    fired: (): Fired[] => [...fired.values()],
    /** Waits until the condition holds at a look that begins from now on, or the time is over. */
    async until(condition: () => boolean, withinMs: number): Promise<boolean> {
      const untilMs = performance.now() + withinMs;
      const first = looks + 2;
      while (looks < first || !condition()) {
        if (performance.now() > untilMs) return false;
        await Promise.race([pause(LOOK_MS / 2), looking]);
      }
      return true;
    },
    async stop(): Promise<void> {
      isOver = true;
      await looking;
    },
  };
}
