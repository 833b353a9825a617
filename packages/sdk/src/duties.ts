/** What a game owes the player beside the rounds: `@roundhouse/sdk/duties`. */
import type { Client } from './client/clientTypes.ts';
import { storageNameOf } from './client/pendingPlays.ts';

const SECOND_MS = 1000;

export type SessionTimerOptions = {
  /** The session began then, as Date.now() gives it: `state.sessionStartedAtMs`. */
  startedAtMs: number;
  /**
   * Called at once and then with each full second of the session, with the milliseconds since it
   * began.
   */
  onTick: (elapsedMs: number) => void;
  /** It is the clock, in milliseconds. The default is Date.now. */
  now?: () => number;
};

export type SessionTimer = { stop(): void };

/** Counts the time of the session, for jurisdiction.displaySessionTimer, until it is stopped. */
export function createSessionTimer({ startedAtMs, onTick, now = Date.now }: SessionTimerOptions): SessionTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let shownSecond = -1;

  const tick = () => {
    // A clock that is set back must not show a session of minus two hours.
    const elapsedMs = Math.max(0, now() - startedAtMs);
    const second = Math.floor(elapsedMs / SECOND_MS);
    // A timer may fire a moment early: then the second is not over, and the next timer is short.
    if (second !== shownSecond) onTick(elapsedMs);
    shownSecond = second;
    if (!isStopped) timer = setTimeout(tick, SECOND_MS - (elapsedMs % SECOND_MS));
  };
  tick();

  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Writes a duration as h:mm:ss.
 * @param elapsedMs milliseconds, zero or more
 */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / SECOND_MS);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

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

/**
 * Makes this page the only one of the browser that plays the session: the last page that calls it
 * takes over. Resolves when a later page has. The client is closed then, so that this page begins
 * and ends no round; a reload takes the session back. It never resolves in a replay and in fun
 * mode, nor where the browser has no locks, as on pages without https.
 */
export function holdSession({ launch, close }: Pick<Client, 'launch' | 'close'>): Promise<void> {
  return new Promise((resolve) => {
    if (launch.kind === 'replay' || !launch.sessionID) return;
    const forEver = () => new Promise(() => {});
    globalThis.navigator?.locks?.request(storageNameOf(launch), { steal: true }, forEver).catch(({ name }) => {
      // A frame without an origin may not use locks.
      if (name !== 'AbortError') return;
      close();
      resolve();
    });
  });
}
