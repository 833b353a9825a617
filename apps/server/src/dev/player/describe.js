import { timesOfHundredths } from './money.js';

/** One line about a book event; `money` writes hundredths of the bet as money, or as null when the bet is not known. */
export function describeEvent(event, money) {
  const known = Object.hasOwn(KNOWN, event?.type) ? KNOWN[event.type] : null;
  return (known?.(event, (hundredths) => amountText(hundredths, money)) ?? scalarsOf(event)) || 'no details';
}

/**
 * The symbols of an event that shows a board, as rows of cells from top to bottom; null when it shows none. A board is an
 * array of reels, each an array of symbols. `isPadding` marks the rows above and below the window.
 */
export function boardOf(event) {
  const reels = [event?.board, event?.reels, event?.grid].find(isBoard);
  if (reels === undefined) return null;
  const height = Math.max(...reels.map((reel) => reel.length));
  const hasPadding = Array.isArray(event.paddingPositions) && height > 2;
  return Array.from({ length: height }, (_, row) => ({
    isPadding: hasPadding && (row === 0 || row === height - 1),
    cells: reels.map((reel, place) => ({ ...cellOf(reel[row]), reel: place, row })),
  }));
}

/** The cells that an event speaks of: those of its wins, or its own positions. */
export function positionsOf(event) {
  const wins = Array.isArray(event?.wins) ? event.wins : [];
  const all = [event?.positions, ...wins.map((win) => win?.positions)].filter(Array.isArray).flat();
  return all.filter((position) => Number.isInteger(position?.reel) && Number.isInteger(position?.row));
}

const KNOWN = {
  reveal(event) {
    const rows = boardOf(event)?.filter(({ isPadding }) => !isPadding);
    if (rows === undefined) return null;
    return rows.map(({ cells }) => cells.map(({ name }) => name).join(' ')).join('  /  ');
  },
  winInfo({ totalWin, wins }, amount) {
    if (!Array.isArray(wins)) return null;
    const lines = wins.slice(0, 4).map((win) => `${win?.kind} ${win?.symbol} ${timesText(win?.win)}`);
    const more = wins.length > lines.length ? `, and ${wins.length - lines.length} more` : '';
    return `${amount(totalWin)}: ${lines.join(', ')}${more}`;
  },
  setWin: ({ amount }, text) => `this spin wins ${text(amount)}`,
  setTotalWin: ({ amount }, text) => `so far ${text(amount)}`,
  finalWin: ({ amount }, text) => `the round pays ${text(amount)}`,
  freeSpinTrigger: (event) => `${event.totalFs} free spins${reelsText(event)}`,
  freeSpinRetrigger: (event) => `${event.totalFs} free spins in all${reelsText(event)}`,
  updateFreeSpin: ({ amount, total }) => `free spin ${amount} of ${total}`,
  freeSpinEnd: ({ amount }, text) => `the free spins won ${text(amount)}`,
  updateGlobalMult: ({ globalMult }) => `multiplier ×${globalMult} from now on`,
  wincap: ({ amount }, text) => `the win cap of ${text(amount)} is reached`,
};

function amountText(hundredths, money) {
  const times = timesText(hundredths);
  const text = Number.isSafeInteger(hundredths) && hundredths !== 0 ? money(hundredths) : null;
  return text === null ? times : `${times} = ${text}`;
}

/** A book may be any game's, so what ought to be an amount may be something else. */
function timesText(hundredths) {
  return Number.isSafeInteger(hundredths) ? timesOfHundredths(hundredths) : String(hundredths);
}

function reelsText(event) {
  const reels = positionsOf(event).map(({ reel }) => reel + 1);
  return reels.length === 0 ? '' : `, scatters on reels ${reels.join(', ')}`;
}

function scalarsOf(event) {
  return Object.entries(event ?? {})
    .filter(([name, value]) => name !== 'index' && name !== 'type' && typeof value !== 'object')
    .slice(0, 5)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function isBoard(value) {
  return Array.isArray(value) && value.length > 0 && value.every((reel) => Array.isArray(reel) && reel.length > 0);
}

function cellOf(cell) {
  if (cell === null || typeof cell !== 'object') return { name: String(cell ?? ''), multiplier: null };
  const multiplier = typeof cell.multiplier === 'number' && cell.multiplier > 1 ? cell.multiplier : null;
  return { name: String(cell.name ?? cell.symbol ?? '?'), multiplier };
}
