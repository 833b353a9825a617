import fc from 'fast-check';
import {
  type Board,
  type BookEvent,
  type BookEventBody,
  type LineWin,
  REELS,
  ROWS,
  SYMBOLS,
  WIN_CAP_HUNDREDTHS,
} from '../../../rules.ts';

/** What one spin of a made-up book pays and brings. Amounts are hundredths of the base bet. */
type SpinPlan = {
  readonly board: Board;
  readonly pays: number;
  readonly wilds: number;
  readonly retriggers: boolean;
};
type BookPlan = { readonly base: SpinPlan; readonly freeSpins: readonly SpinPlan[] };

/**
 * Makes events as a generator writes them: {@link BookEvent} says which events there are, and in
 * which order.
 */
function bookOf({ base, freeSpins }: BookPlan): BookEvent[] {
  const bodies: BookEventBody[] = [...spinEvents('basegame', base, 1)];
  let total = base.pays;
  if (freeSpins.length > 0) {
    if (total > 0) bodies.push({ type: 'setTotalWin', amount: total });
    total = addFreeSpins(bodies, freeSpins, total);
    bodies.push({ type: 'freeSpinEnd', amount: total - base.pays });
  }
  bodies.push({ type: 'finalWin', amount: total });
  return bodies.map((body, index) => ({ index, ...body }));
}

export function payoutOf(events: readonly BookEvent[]): number {
  const last = events.at(-1);
  return last?.type === 'finalWin' ? last.amount : 0;
}

function addFreeSpins(bodies: BookEventBody[], spins: readonly SpinPlan[], paidBefore: number): number {
  const positions = [{ reel: 0, row: 0 }];
  let total = paidBefore;
  let multiplier = 1;
  let totalSpins = spins.length;
  bodies.push({ type: 'freeSpinTrigger', totalSpins, positions });
  for (const [index, spin] of spins.entries()) {
    const pays = Math.min(spin.pays, WIN_CAP_HUNDREDTHS - total);
    total += pays;
    multiplier += spin.wilds;
    bodies.push({ type: 'updateFreeSpin', spin: index + 1, totalSpins });
    const [reveal, ...wins] = spinEvents('freegame', { ...spin, pays }, multiplier);
    if (reveal) bodies.push(reveal);
    if (spin.wilds > 0) bodies.push({ type: 'updateMultiplier', multiplier, positions });
    bodies.push(...wins);
    if (pays > 0) bodies.push({ type: 'setTotalWin', amount: total });
    if (total === WIN_CAP_HUNDREDTHS) {
      bodies.push({ type: 'winCap', amount: total });
      break;
    }
    if (spin.retriggers) {
      totalSpins += 5;
      bodies.push({ type: 'freeSpinRetrigger', addedSpins: 5, totalSpins, positions });
    }
  }
  return total;
}

function spinEvents(spin: 'basegame' | 'freegame', { board, pays }: SpinPlan, multiplier: number): BookEventBody[] {
  const reveal: BookEventBody = { type: 'reveal', spin, board, anticipation: board.map(() => false) };
  if (pays === 0) return [reveal];
  const win: LineWin = { line: 1, symbol: 'H1', count: 3, win: pays, multiplier, positions: [] };
  return [reveal, { type: 'winInfo', totalWin: pays, wins: [win] }, { type: 'setWin', amount: pays }];
}

const board: fc.Arbitrary<Board> = fc.array(
  fc.array(fc.constantFrom(...SYMBOLS), { minLength: ROWS, maxLength: ROWS }),
  { minLength: REELS, maxLength: REELS },
);

const pays = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 200 }).map((step) => step * 10) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: WIN_CAP_HUNDREDTHS / 10 }).map((step) => step * 10) },
);

const spin: fc.Arbitrary<SpinPlan> = fc.record({
  board,
  pays,
  wilds: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  retriggers: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const freeSpins = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(spin, { minLength: 1, maxLength: 6 }) },
);

/** Returns any book at all. */
export const anyBook: fc.Arbitrary<BookEvent[]> = fc.record({ base: spin, freeSpins }).map(bookOf);

export const anyFreeSpinsBook: fc.Arbitrary<BookEvent[]> = fc
  .record({ base: spin, freeSpins: fc.array(spin, { minLength: 1, maxLength: 5 }) })
  .map(bookOf);

const PLAIN_BOARD: Board = [
  ['H1', 'L3', 'H4'],
  ['L2', 'L5', 'H3'],
  ['H2', 'L1', 'L4'],
  ['L5', 'H2', 'H4'],
  ['L3', 'H1', 'L2'],
];

/** Returns a book that pays this many hundredths of the base bet in its only spin. */
export function plainBook(paysHundredths: number): BookEvent[] {
  return bookOf({ base: spinOf(paysHundredths), freeSpins: [] });
}

/** Returns a book whose free spins pay these many hundredths, one each. */
export function freeSpinsBook(...paysHundredths: readonly number[]): BookEvent[] {
  return bookOf({ base: spinOf(0), freeSpins: paysHundredths.map((pays) => ({ ...spinOf(pays), wilds: 1 })) });
}

function spinOf(paysHundredths: number): SpinPlan {
  return { board: PLAIN_BOARD, pays: paysHundredths, wilds: 0, retriggers: false };
}
