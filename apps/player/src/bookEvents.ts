/** Hundredths of the bet as money, or null when the bet or its currency is not known. */
export type MoneyOfHundredths = (hundredths: number) => string | null;

export type Position = { reel: number; row: number };
export type BoardRow = {
  /** The row is above or below the window. */
  isPadding: boolean;
  cells: (Position & { name: string; multiplier: number | null })[];
};

/** A book may be of any game, so the fields of its events are unknown. */
type Fields = Readonly<Record<string, unknown>>;
type Text = (hundredths: unknown) => string;
type Sentence = (event: Fields, text: Text) => string | undefined;

const MAX_WINS = 4;
const MAX_FIELDS = 5;

/** Describes a book event in one line. */
export function describeEvent(event: unknown, money: MoneyOfHundredths): string {
  const fields = fieldsOf(event);
  const sentence = Object.hasOwn(SENTENCES, String(fields.type)) ? SENTENCES[String(fields.type)] : undefined;
  return (sentence?.(fields, (hundredths) => amountText(hundredths, money)) ?? scalarsOf(fields)) || 'no details';
}

/**
 * Returns the symbols of an event that shows a board, as rows from top to bottom; null when it
 * shows none. A board is an array of reels, each an array of symbols.
 */
export function boardOf(event: unknown): BoardRow[] | null {
  const { board, reels: eventReels, grid, paddingPositions } = fieldsOf(event);
  const reels = [board, eventReels, grid].find(isBoard);
  if (reels === undefined) return null;
  const height = Math.max(...reels.map((symbols) => symbols.length));
  const hasPadding = Array.isArray(paddingPositions) && height > 2;
  return Array.from({ length: height }, (_, row) => ({
    isPadding: hasPadding && (row === 0 || row === height - 1),
    cells: reels.map((symbols, reel) => ({ ...cellOf(symbols[row]), reel, row })),
  }));
}

/** Returns the cells that an event names: its own positions, and those of its wins. */
export function positionsOf(event: unknown): Position[] {
  const { positions, wins } = fieldsOf(event);
  const lists = [positions, ...arrayOf(wins).map((win) => fieldsOf(win).positions)];
  return lists.flatMap(arrayOf).filter(isPosition);
}

/** Returns the hundredths of a bet, as books count them, in whole micros. */
export function microsOf(amountMicros: number, hundredths: number): number {
  return Number((BigInt(amountMicros) * BigInt(hundredths)) / 100n);
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  reveal(event) {
    const rows = boardOf(event)?.filter(({ isPadding }) => !isPadding);
    return rows?.map(({ cells }) => cells.map(({ name }) => name).join(' ')).join('  /  ');
  },
  winInfo({ totalWin, wins }, text) {
    if (!Array.isArray(wins)) return undefined;
    const shown = wins.slice(0, MAX_WINS).map(winText);
    const more = wins.length > shown.length ? `, and ${wins.length - shown.length} more` : '';
    return `${isTextOrNumber(totalWin) ? `${text(totalWin)}: ` : ''}${shown.join(', ')}${more}`;
  },
  setWin: about('amount', (amount, text) => `this spin wins ${text(amount)}`),
  setTotalWin: about('amount', (amount, text) => `so far ${text(amount)}`),
  finalWin: about('amount', (amount, text) => `the round pays ${text(amount)}`),
  freeSpinTrigger: about('totalFs', (total, _, event) => `${total} free spins${reelsText(event)}`),
  freeSpinRetrigger: about('totalFs', (total, _, event) => `${total} free spins in all${reelsText(event)}`),
  updateFreeSpin: about(
    'amount',
    (spin, _, { total }) => `free spin ${spin}${isTextOrNumber(total) ? ` of ${total}` : ''}`,
  ),
  freeSpinEnd: about('amount', (amount, text) => `the free spins won ${text(amount)}`),
  updateGlobalMult: about('globalMult', (multiplier) => `multiplier ×${multiplier} from now on`),
  wincap: about('amount', (amount, text) => `the win cap of ${text(amount)} is reached`),
};

/**
 * Returns a sentence that needs one field. An event without it is described like one of an unknown
 * type.
 */
function about(name: string, sentence: (value: number | string, text: Text, event: Fields) => string): Sentence {
  return (event, text) => {
    const value = event[name];
    return isTextOrNumber(value) ? sentence(value, text, event) : undefined;
  };
}

/**
 * Lines and ways name how many symbols win, a cluster names its size, and scatters have positions
 * only.
 */
function winText(win: unknown): string {
  const { kind, clusterSize, positions, symbol, win: hundredths } = fieldsOf(win);
  const count = [kind, clusterSize, Array.isArray(positions) ? positions.length : undefined].find(isTextOrNumber);
  const pays = isTextOrNumber(hundredths) ? timesText(hundredths) : undefined;
  return [count, fieldsOf(symbol).name ?? symbol, pays].filter(isTextOrNumber).join(' ') || 'a win';
}

function amountText(hundredths: unknown, money: MoneyOfHundredths): string {
  const times = timesText(hundredths);
  const text = isWhole(hundredths) && hundredths !== 0 ? money(hundredths) : null;
  return text === null ? times : `${times} = ${text}`;
}

/** Returns the hundredths of the base bet, as books count them: 150 is "1.50×". */
function timesText(hundredths: unknown): string {
  if (!isWhole(hundredths)) return String(hundredths);
  return `${Math.trunc(hundredths / 100)}.${String(Math.abs(hundredths % 100)).padStart(2, '0')}×`;
}

function reelsText(event: Fields): string {
  const reels = positionsOf(event).map(({ reel }) => reel + 1);
  return reels.length === 0 ? '' : `, scatters on reels ${reels.join(', ')}`;
}

function scalarsOf(event: Fields): string {
  return Object.entries(event)
    .filter(([name, value]) => name !== 'index' && name !== 'type' && value !== undefined && typeof value !== 'object')
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function cellOf(symbol: unknown): { name: string; multiplier: number | null } {
  if (typeof symbol !== 'object' || symbol === null) return { name: String(symbol ?? ''), multiplier: null };
  const { name, symbol: inner, multiplier } = fieldsOf(symbol);
  const isShown = typeof multiplier === 'number' && multiplier > 1;
  return { name: String(name ?? inner ?? '?'), multiplier: isShown ? multiplier : null };
}

function isBoard(value: unknown): value is unknown[][] {
  return Array.isArray(value) && value.length > 0 && value.every((reel) => Array.isArray(reel) && reel.length > 0);
}

function isPosition(value: unknown): value is Position {
  const { reel, row } = fieldsOf(value);
  return Number.isInteger(reel) && Number.isInteger(row);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isTextOrNumber(value: unknown): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
