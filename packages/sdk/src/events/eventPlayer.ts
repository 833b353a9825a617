import { type EventHandlers, type Pace, Playback, type PlayControls } from './playback.ts';

export type EventPlayerOptions = {
  /** The default is 'normal'. */
  pace?: Pace;
  /**
   * Called with an event without a handler: a book may hold newer events than the game knows. Left
   * out, such events are ignored.
   */
  onUnknown?: (event: unknown) => void;
};

export type PlayOptions = {
  /**
   * Events before this place are handled at pace 'instant', to build the scene. The default is 0.
   */
  from?: number;
  /**
   * Awaited before the handler of each event from `from` on. This is the place to record
   * `eventMark(index)`: on resume, an event that was not shown to its end is then shown again.
   * Return nothing to record without a pause of the play.
   */
  onEvent?: (index: number) => void | Promise<void>;
};

export type EventPlayer<E extends { type: string }> = {
  /**
   * Shows the events of one book, each awaited before the next. Only the pace is kept from one play
   * to the next. Rejects with EventHandlerError when a handler or onEvent fails, with
   * PlaybackStoppedError on stop(), and with Error while another play of this player runs.
   */
  play(events: readonly E[], options?: PlayOptions): Promise<void>;
  /** Shows the rest of the running play at once. Without one it does nothing. */
  skip(): void;
  /** Changes the pace, of the running play too. */
  setPace(pace: Pace): void;
  /**
   * Ends the running play, which rejects with PlaybackStoppedError. No further handler is called.
   */
  stop(): void;
};

/**
 * Plays books through one handler per type of event. Waits with setTimeout and nothing else, so
 * that fake timers drive it in tests.
 */
export function createEventPlayer<E extends { type: string }>(
  handlers: EventHandlers<E>,
  { pace = 'normal', onUnknown }: EventPlayerOptions = {},
): EventPlayer<E> {
  let chosenPace = pace;
  let running: Playback | undefined;

  async function show(event: E, controls: PlayControls): Promise<void> {
    const handler = handlerOf(handlers, event);
    if (handler) await handler.call(handlers, event, controls);
    else onUnknown?.(event);
  }

  async function showAll(playback: Playback, events: readonly E[], { from = 0, onEvent }: PlayOptions): Promise<void> {
    for (const [index, event] of events.entries()) {
      const isCatchingUp = index < from;
      await playback.showStep({ index, type: typeOf(event), isCatchingUp }, async (controls) => {
        if (!isCatchingUp) await onEvent?.(index);
        playback.throwIfAborted();
        await show(event, controls);
      });
    }
  }

  return {
    async play(events, options = {}) {
      if (running) throw new Error('this player is showing a book already');
      const playback = new Playback(chosenPace);
      running = playback;
      try {
        await Promise.race([showAll(playback, events, options), playback.aborted]);
      } finally {
        if (running === playback) running = undefined;
      }
    },
    skip: () => running?.skip(),
    setPace: (next) => {
      chosenPace = next;
      running?.setPace(next);
    },
    stop: () => {
      const stopped = running;
      running = undefined;
      stopped?.stop();
    },
  };
}

/**
 * Events come from outside: one may be no object, or have a type that every object has a member
 * for, such as "constructor".
 */
function handlerOf<E extends { type: string }>(
  handlers: EventHandlers<E>,
  event: E,
): ((event: E, controls: PlayControls) => void | Promise<void>) | undefined {
  const type = typeOf(event);
  const handler = type in Object.prototype ? undefined : (handlers as Record<string, unknown>)[type];
  return typeof handler === 'function' ? (handler as (event: E, controls: PlayControls) => void) : undefined;
}

function typeOf(event: { type: string } | null | undefined): string {
  return String(event?.type);
}

const MARK = /^next:(\d{1,9})$/;

/**
 * Returns what to record with `client.event()` before an event is shown, so that a reloaded game
 * starts again with it.
 * @param index place of the event in the book, from 0
 * @throws RangeError when it is not a whole number from 0 to 999,999,999
 */
export function eventMark(index: number): string {
  const mark = `next:${index}`;
  if (!MARK.test(mark)) throw new RangeError(`not the place of an event: ${index}`);
  return mark;
}

/**
 * Returns the place of the event to show next, from the latest recorded event (`round.event`). It
 * is 0 when nothing was recorded, and for anything that is not a mark of this book: to show a round
 * again from its start is always right.
 */
export function resumeIndex(recorded: string | null, events: readonly unknown[]): number {
  const index = Number(MARK.exec(recorded ?? '')?.[1] ?? 0);
  return index <= events.length ? index : 0;
}
