import { createEventPlayer } from '../../src/events/eventPlayer.ts';
import type { Pace, PlayControls } from '../../src/events/playback.ts';

export type Reveal = { index: number; type: 'reveal'; board: string };
export type Win = { index: number; type: 'win'; amount: number };
export type BookEvent = Reveal | Win;

export const reveal: Reveal = { index: 0, type: 'reveal', board: 'AAA' };
export const win: Win = { index: 1, type: 'win', amount: 5 };
export const book: readonly BookEvent[] = [reveal, win, { index: 2, type: 'win', amount: 7 }];

/**
 * Returns a player whose handlers write down what happens, and when: milliseconds of the (fake)
 * clock since this call.
 */
export function recordingPlayer({ waitMs = 100, pace = 'normal' }: { waitMs?: number; pace?: Pace } = {}) {
  const startedAtMs = Date.now();
  const log: string[] = [];
  const note = (text: string) => log.push(`${text}@${Date.now() - startedAtMs}`);
  const show = async (event: BookEvent, controls: PlayControls) => {
    note(`${event.type}${controls.index} ${controls.pace}`);
    await controls.wait(waitMs);
    note(`done${controls.index}`);
  };
  const player = createEventPlayer<BookEvent>({ reveal: show, win: show }, { pace });
  return { player, log, note };
}

/**
 * Returns what a play came to: 'done', or the error. A test can look at it when it wants, and no
 * rejection goes unheard.
 */
export function outcomeOf(play: Promise<void>): Promise<unknown> {
  return play.then(
    () => 'done',
    (error: unknown) => error,
  );
}
