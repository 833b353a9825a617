const MARK = /^next:(\d{1,9})$/;

/**
 * What to record with `client.event()` before an event is shown, so that a reloaded game starts
 * again with it.
 * @param index place of the event in the book, from 0
 * @throws RangeError when it is not a whole number from 0 to 999,999,999
 */
export function eventMark(index: number): string {
  const mark = `next:${index}`;
  if (!MARK.test(mark)) throw new RangeError(`not the place of an event: ${index}`);
  return mark;
}

/**
 * The place of the event to show next, from the latest recorded event (`round.event`). 0 when
 * nothing was recorded, and for anything that is not a mark of this book: to show a round again
 * from its start is always right.
 */
export function resumeIndex(recorded: string | null, events: readonly unknown[]): number {
  const index = Number(MARK.exec(recorded ?? '')?.[1] ?? 0);
  return index <= events.length ? index : 0;
}
