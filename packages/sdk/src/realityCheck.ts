export type RealityCheckOptions = {
  /** The session began then, as Date.now() gives it: `state.sessionStartedAtMs`. */
  startedAtMs: number;
  /** It is `jurisdiction.realityCheckInterval` in milliseconds. With 0 no check is ever due. */
  intervalMs: number;
  /** It is the clock, in milliseconds. The default is Date.now. */
  now?: () => number;
};

export type RealityCheck = {
  /** Returns the milliseconds since the session began. */
  elapsedMs(): number;
  /**
   * Returns whether the interval has passed since the session began, or since the last
   * acknowledgement. Ask it at the end of a round: a reality check never interrupts one.
   */
  isDue(): boolean;
  /** The player has seen it: the interval begins anew. */
  acknowledge(): void;
};

/**
 * Tells when to show the player how long they have played, for `jurisdiction.realityCheckInterval`.
 */
export function createRealityCheck({ startedAtMs, intervalMs, now = Date.now }: RealityCheckOptions): RealityCheck {
  let sinceMs = startedAtMs;
  return {
    elapsedMs: () => Math.max(0, now() - startedAtMs),
    isDue: () => intervalMs > 0 && now() - sinceMs >= intervalMs,
    acknowledge() {
      sinceMs = now();
    },
  };
}
