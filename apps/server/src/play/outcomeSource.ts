import { createCryptoRandom, type DrawnBook } from '@roundhouse/math';
import type { GameMode } from '../games/game.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';

/** Where the outcome of a play comes from. */
export type OutcomeSource = {
  /** Also says how to give the outcome back, when the play is refused after all. */
  next(session: SessionFacts, mode: GameMode): { book: DrawnBook; giveBack(): void };
};

const nothingToGiveBack = () => {};

/** The weighted draw from a cryptographic source: the only one outside local work. */
export function createDraw(): OutcomeSource {
  const random = createCryptoRandom();
  return { next: (_session, mode) => ({ book: mode.math.draw(random), giveBack: nothingToGiveBack }) };
}
