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
  /** The clock, in milliseconds. The default is Date.now. */
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
  /** The clock, in milliseconds. The default is Date.now. */
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

/** The player has chosen these for an autoplay, in micros; undefined is no limit. */
export type AutoplayLimits = {
  /** The autoplay loses at most this. */
  readonly lossLimitMicros?: number | undefined;
  /** The autoplay stops after a round that pays this or more. */
  readonly singleWinLimitMicros?: number | undefined;
};

/** The limit that has stopped an autoplay. */
export type AutoplayStop = 'lossLimit' | 'singleWinLimit';

/**
 * Returns the limit that the next round could break. Ask it before each round of an autoplay.
 * @param next what the autoplay has lost so far, and what the round costs
 */
export function stopBeforeRound(
  { lossLimitMicros }: AutoplayLimits,
  next: { lostMicros: number; stakeMicros: number },
): AutoplayStop | undefined {
  if (lossLimitMicros === undefined) return undefined;
  return next.lostMicros + next.stakeMicros > lossLimitMicros ? 'lossLimit' : undefined;
}

/** Returns the limit that a round has reached. Ask it after each round of an autoplay. */
export function stopAfterRound(
  { singleWinLimitMicros }: AutoplayLimits,
  round: { payoutMicros: number },
): AutoplayStop | undefined {
  if (singleWinLimitMicros === undefined) return undefined;
  return round.payoutMicros >= singleWinLimitMicros ? 'singleWinLimit' : undefined;
}

/**
 * Returns the numbers of rounds to offer for an autoplay: those that the jurisdiction allows, and
 * its own number when all are larger.
 * @param choices rising numbers of rounds
 * @param maximumRounds `jurisdiction.maximumAutoplayRounds`; 0 allows any number
 */
export function autoplayChoices(choices: readonly number[], maximumRounds: number): readonly number[] {
  if (maximumRounds === 0) return choices;
  const allowed = choices.filter((rounds) => rounds <= maximumRounds);
  return allowed.length > 0 ? allowed : [maximumRounds];
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
