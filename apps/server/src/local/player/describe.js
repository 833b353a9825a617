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
    const shown = wins.slice(0, 4).map(winText);
    const more = wins.length > shown.length ? `, and ${wins.length - shown.length} more` : '';
    return `${isSaid(totalWin) ? `${amount(totalWin)}: ` : ''}${shown.join(', ')}${more}`;
  },
  setWin: saying('amount', (amount, text) => `this spin wins ${text(amount)}`),
  setTotalWin: saying('amount', (amount, text) => `so far ${text(amount)}`),
  finalWin: saying('amount', (amount, text) => `the round pays ${text(amount)}`),
  freeSpinTrigger: saying('totalFs', (total, _text, event) => `${total} free spins${reelsText(event)}`),
  freeSpinRetrigger: saying('totalFs', (total, _text, event) => `${total} free spins in all${reelsText(event)}`),
  updateFreeSpin: saying(
    'amount',
    (spin, _text, { total }) => `free spin ${spin}${isSaid(total) ? ` of ${total}` : ''}`,
  ),
  freeSpinEnd: saying('amount', (amount, text) => `the free spins won ${text(amount)}`),
  updateGlobalMult: saying('globalMult', (multiplier) => `multiplier ×${multiplier} from now on`),
  wincap: saying('amount', (amount, text) => `the win cap of ${text(amount)} is reached`),
};

/** An event whose sentence needs one of its fields; without it the event is described like one of an unknown type. */
function saying(name, sentence) {
  return (event, text) => (isSaid(event[name]) ? sentence(event[name], text, event) : null);
}

function isSaid(value) {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Lines and ways name how many symbols win; a cluster names its size; of scatters only the positions tell. */
function winText(win) {
  const count = [win?.kind, win?.clusterSize, win?.positions?.length].find(isSaid);
  const parts = [count, win?.symbol?.name ?? win?.symbol, isSaid(win?.win) ? timesText(win.win) : undefined];
  return parts.filter(isSaid).join(' ') || 'a win';
}

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
    .filter(([name, value]) => name !== 'index' && name !== 'type' && value !== undefined && typeof value !== 'object')
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
