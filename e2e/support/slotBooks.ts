import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PublishedBook, RgsServer } from './server.ts';

/** The server serves this small edition of the demo slot. */
export const SLOT_VERSION = '1.0.0-small';
const FOLDER = fileURLToPath(new URL('../../apps/server/pages/demo-slot/math/', import.meta.url));

export type SlotMode = 'BASE' | 'ANTE' | 'BONUS';
export type SlotBook = { bookID: number; payoutHundredths: number; events: PublishedBook['state'] };

type Wish = {
  /** Hundredths of the base bet; both ends count. */
  payout: { from: number; to?: number };
  /** It says whether the book has free spins, and how many. Without it either will do. */
  freeSpins?: number | 'none';
  /** The search starts at this place, from 0 to 1. Another place finds another book. */
  startAt?: number;
};

/** The search stops after this many books: a rarer book is a mistake in the test. */
const MOST_PROBES = 400;
/**
 * The golden section: steps of it are spread evenly over the table, whatever the order in which
 * books were published.
 */
const STEP = 0.618_033_988_75;

/**
 * Finds a published book of the demo slot that is what the test needs, found in the lookup table
 * and then looked into.
 */
export async function findBook(
  server: RgsServer,
  mode: SlotMode,
  { payout, freeSpins, startAt = 0 }: Wish,
): Promise<SlotBook> {
  const { from, to = from } = payout;
  const rows = payoutsOf(mode).filter(({ payoutHundredths }) => payoutHundredths >= from && payoutHundredths <= to);
  for (let probe = 0; probe < MOST_PROBES; probe += 1) {
    const row = rows[Math.floor(((startAt + probe * STEP) % 1) * rows.length)];
    if (row === undefined) break;
    const { state: events } = await server.book(`aurora-line/${SLOT_VERSION}/${mode}/${row.bookID}`);
    if (freeSpins === undefined || freeSpinsIn(events) === freeSpins) return { ...row, events };
  }
  throw new Error(`no book of ${mode} pays ${from} to ${to} with free spins: ${freeSpins}`);
}

function freeSpinsIn(events: SlotBook['events']): number | 'none' {
  const spins = events.filter(({ type }) => type === 'updateFreeSpin').length;
  return spins === 0 ? 'none' : spins;
}

const tables = new Map<SlotMode, { bookID: number; payoutHundredths: number }[]>();

/** Returns the lookup table as it is published: id, weight, payout. */
function payoutsOf(mode: SlotMode) {
  const known = tables.get(mode);
  if (known) return known;
  const rows = readFileSync(`${FOLDER}lookUpTable_${mode}_0.csv`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [bookID, , payoutHundredths] = line.split(',').map(Number);
      return { bookID: bookID ?? Number.NaN, payoutHundredths: payoutHundredths ?? Number.NaN };
    });
  tables.set(mode, rows);
  return rows;
}
