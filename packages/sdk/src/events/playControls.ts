/** How fast events are shown. */
export type Pace = 'normal' | 'turbo' | 'superTurbo' | 'instant';

/** The factor of every wait. */
export const PACE_FACTORS: Readonly<Record<Pace, number>> = { normal: 1, turbo: 0.5, superTurbo: 0.25, instant: 0 };

/** The second argument of a handler. */
export type PlayControls = {
  /**
   * The pace now. It may change while the handler runs. 'instant' while catching up to a resumed
   * event, and after skip().
   */
  readonly pace: Pace;
  /** Place of this event in the book, from 0. */
  readonly index: number;
  /**
   * Resolves after this many milliseconds at the normal pace: after half of them at 'turbo', a
   * quarter at 'superTurbo', none at 'instant'. A change of pace counts for what is left. Rejects
   * with PlaybackStoppedError on stop().
   */
  wait(ms: number): Promise<void>;
  /**
   * Calls the listener once, as soon as this event has to be shown without waiting: on skip() and
   * on a change to 'instant', or right after this call when it is so already. Ends with the
   * handler, or when the returned function is called.
   */
  onSkip(listener: () => void): () => void;
};

/** One handler for every type of event that a book may hold. A missing one does not compile. */
export type EventHandlers<E extends { type: string }> = {
  [T in E['type']]: (event: Extract<E, { type: T }>, controls: PlayControls) => void | Promise<void>;
};
