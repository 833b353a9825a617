import type { DrawnBook } from '@roundhouse/math';
import type { GameMode } from '../rounds/games/catalogue.ts';
import type { Draw } from '../rounds/play/play.ts';
import type { SessionFacts } from '../store/rounds/sessions.ts';

/** Local work can force the next outcomes of this draw. Production never uses it. */
export type ForcedOutcomes = Draw & {
  /** The next play of the session in this mode takes this book, once. */
  force(session: SessionFacts, mode: GameMode, book: DrawnBook): void;
};

export function createForcedOutcomes(draw: Draw): ForcedOutcomes {
  const forced = new Map<string, DrawnBook>();
  const keyOf = (session: SessionFacts, mode: GameMode) => `${session.sessionRowID}/${mode.key}`;
  const take = (session: SessionFacts, mode: GameMode) => {
    const key = keyOf(session, mode);
    const book = forced.get(key);
    if (book === undefined) return undefined;
    forced.delete(key);
    return { book, release: () => void (forced.has(key) || forced.set(key, book)) };
  };
  return {
    force: (session, mode, book) => {
      forced.set(keyOf(session, mode), book);
    },
    next: (session, mode) => take(session, mode) ?? draw.next(session, mode),
    forced: take,
  };
}
