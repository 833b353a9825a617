import type { Micros, Round } from '@roundhouse/contract';
import type { DrawnBook } from '@roundhouse/math';
import type { JsonResponse } from '../../base/http/responses.ts';
import type { Database } from '../../store/database/database.ts';
import { findRound, type RoundRecord } from '../../store/rounds/rounds.ts';
import { type Catalogue, type GameMode, modeKey } from '../games/catalogue.ts';

const HUNDREDTHS = 100;

/**
 * A shown round has the name of its mode that games see, and its book's events, byte for byte as
 * they were published.
 */
export type ShownRound = Omit<RoundRecord, 'gameID' | 'gameVersion' | 'bookID'> & { events: Buffer };

/** The facts of a bet that a round shows. */
type ShownBet = Pick<ShownRound, 'amount' | 'payout' | 'payoutMultiplier'>;

type OpenedBet = {
  roundID: bigint;
  bet: ShownBet;
  mode: Pick<GameMode, 'name' | 'costMultiplier' | 'autoClose'>;
  events: Buffer;
  grantID: string | undefined;
};

/** Shows a round that a bet has just opened. */
export function showOpened({ roundID, bet, mode: betMode, events, grantID }: OpenedBet): ShownRound {
  const { amount, payout, payoutMultiplier } = bet;
  const { name: mode, costMultiplier, autoClose } = betMode;
  const active = !(autoClose && payout === 0);
  return { roundID, mode, costMultiplier, amount, payout, payoutMultiplier, active, lastEvent: null, grantID, events };
}

type UnkeptRound = { mode: GameMode; book: DrawnBook; amount: Micros; payout: Micros };

/** Shows the round that a bet would open on the book. It is not stored, so its id is 0. */
export function showUnkept({ mode, book, amount, payout }: UnkeptRound): ShownRound {
  const bet = { amount, payout, payoutMultiplier: book.payoutMultiplier };
  const events = mode.math.readEvents(book.position);
  return showOpened({ roundID: 0n, bet, mode, events, grantID: undefined });
}

/** Reads a round that was opened before. */
export async function readRound(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  roundID: bigint,
): Promise<ShownRound> {
  const record = await findRound(db, roundID);
  if (record === undefined) throw new Error(`round ${roundID} is not there`);
  return showRound(catalogue, record);
}

/** Shows a stored round with the events of the book that it is pinned to. */
export function showRound(catalogue: Catalogue, record: RoundRecord): ShownRound {
  const { roundID, gameID, gameVersion, mode, bookID } = record;
  const math = catalogue.math({ gameID, version: gameVersion, mode });
  const book = math?.find(bookID);
  if (math === undefined || book === undefined) {
    throw new Error(
      `round ${roundID} is on book ${bookID} of ${gameID}/${gameVersion} ${mode}, which this node does not have`,
    );
  }
  const name = catalogue.modeName({ gameID, version: gameVersion, mode });
  return { events: math.readEvents(book.position), ...record, mode: name };
}

/** Returns a round on the wire, as JSON. */
export function roundJson(round: ShownRound): JsonResponse['json'] {
  const members: Omit<Round, 'state'> = {
    betID: Number(round.roundID),
    amount: round.amount,
    payout: round.payout,
    payoutMultiplier: displayMultiplier(round.payoutMultiplier),
    costMultiplier: Number(round.costMultiplier),
    active: round.active,
    mode: round.mode,
    event: round.lastEvent,
    ...(round.grantID !== undefined && { grantID: round.grantID }),
  };
  return withState(members, round.events);
}

/**
 * Writes JSON with a last member `state`, the events of a book, byte for byte (decision 007):
 * JSON.parse and JSON.stringify would turn 1.0 into 1.
 */
export function withState(members: object, events: Buffer): JsonResponse['json'] {
  return [`${JSON.stringify(members).slice(0, -1)},"state":`, events, '}'];
}

/** Returns hundredths as the number on the wire. No amount of money is computed from it. */
export function displayMultiplier(hundredths: bigint): number {
  return Number(hundredths) / HUNDREDTHS;
}

/** The payoutMultiplier of the published book is in hundredths. */
export type ReplayedBook = { payoutMultiplier: bigint; costMultiplier: string; events: Buffer };

export type ReplayKey = { gameID: string; version: string; mode: string; bookID: string };

const BOOK_ID = /^(0|[1-9]\d{0,15})$/;

/** Finds the book, also in versions that are not served. Returns undefined for an unknown one. */
export function replay(catalogue: Catalogue, key: ReplayKey): ReplayedBook | undefined {
  const math = catalogue.math({ ...key, mode: modeKey(key.mode) });
  const book = BOOK_ID.test(key.bookID) ? math?.find(Number(key.bookID)) : undefined;
  if (math === undefined || book === undefined) return undefined;
  return {
    payoutMultiplier: book.payoutMultiplier,
    costMultiplier: math.cost,
    events: math.readEvents(book.position),
  };
}
