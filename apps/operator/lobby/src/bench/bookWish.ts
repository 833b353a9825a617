import type { FoundBook } from '@roundhouse/contract';
import type { BookWish } from './bench.ts';

/** Holds the fields of the form. Payouts are multiples of the bet, as typed; empty means any. */
export type BookDraft = {
  readonly from: string;
  readonly to: string;
  /** A type of event; empty means any. */
  readonly with: string;
  readonly without: string;
};

/** Returns what the form asks for. Not ok: a payout is not a number with at most two decimals. */
export function readWish(draft: BookDraft): { ok: true; wish: Omit<BookWish, 'mode'> } | { ok: false } {
  const [from, to] = [multiplierOf(draft.from), multiplierOf(draft.to)];
  if (from === null || to === null) return { ok: false };
  return {
    ok: true,
    wish: {
      ...((from ?? to) !== undefined && {
        payout: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      }),
      ...(draft.with !== '' && { with: [draft.with] }),
      ...(draft.without !== '' && { without: [draft.without] }),
    },
  };
}

function multiplierOf(typed: string): number | undefined | null {
  const text = typed.trim().replace(/(?<=\d)\s*[×x]$/, '');
  if (text === '') return undefined;
  return /^\d{1,9}([.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

/**
 * Returns the types of events in the order of the book, with their number if there are several.
 */
export function eventsText(events: FoundBook['events']): string {
  return events.map(({ type, count }) => (count === 1 ? type : `${type} ×${count}`)).join(', ');
}
