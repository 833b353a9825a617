import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type MathMode, type MathPackage, verifyReport } from '@roundhouse/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookEvent, MODE_COST_HUNDREDTHS, MODES, type ModeName } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';
import { openPublished, type PublishedMath } from './openPublished.ts';
import { eventsByHand } from './rulesByHand.ts';

/** The package's `build:math` writes it. */
const gameFolder = fileURLToPath(new URL('../dist/', import.meta.url));
const mathFolder = join(gameFolder, 'math');

/** This many books of each mode are computed by hand, spread evenly over all. */
const BOOKS_READ = 300;

let published: PublishedMath;
let math: MathPackage;

beforeAll(async () => {
  published = await openPublished(gameFolder);
  math = published.math;
});

afterAll(() => published?.close());

describe('the published math', () => {
  it('is that of version 1.0.0, byte for byte, which never changes', () => {
    expect(math.sha256).toBe('9c127724671b25371dbe48798e40f8f7d7671d6da7691176ed6555ec18482d22');
  });

  it('gives no warning in the report', () => {
    expect(verifyReport(math).warnings).toEqual([]);
  });

  it('wins in base in a fifth to a third of the rounds, and reaches the win cap in every mode', () => {
    const { modes } = verifyReport(math);
    for (const { name, hitRate, maxWin, maxWinOneIn } of modes) {
      expect(maxWin).toBe('5000');
      expect(maxWinOneIn).toBeLessThan(10_000_000);
      expect(hitRate).toBeGreaterThan(name === 'BONUS' ? 0.99 : 0.22);
      if (name !== 'BONUS') expect(hitRate).toBeLessThan(0.28);
    }
  });

  it('has hundreds of books for every range of wins up to the cap', async () => {
    const bounds = [10, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
    for (const name of MODES) {
      const payouts = (await rowsOf(name)).map(({ payout }) => payout);
      for (const [place, from] of bounds.entries()) {
        const books = payouts.filter((payout) => payout >= from && payout < (bounds[place + 1] ?? 500_000)).length;
        expect(books, `${name} from ${from}`).toBeGreaterThan(200);
      }
      expect(payouts.filter((payout) => payout === 500_000).length).toBeGreaterThan(10);
    }
  });

  it('comes with the game file that the generator describes', async () => {
    expect(JSON.parse(await readFile(join(gameFolder, 'game.json'), 'utf8'))).toEqual(gameSettings);
  });
});

describe.each(MODES)('mode %s', (name) => {
  it('returns exactly 96 % of its cost, from a hundred thousand books or more', async () => {
    const rows = await rowsOf(name);
    const weight = rows.reduce((sum, row) => sum + row.weight, 0n);
    const paid = rows.reduce((sum, row) => sum + row.weight * BigInt(row.payout), 0n);
    expect(paid * 100n).toBe(weight * BigInt(MODE_COST_HUNDREDTHS[name]) * 96n);
    expect(rows.length).toBeGreaterThanOrEqual(100_000);
    expect(Number(modeOf(name).cost) * 100).toBe(MODE_COST_HUNDREDTHS[name]);
  });

  it('has the sum of its wins as the total and as the payout of every book', async () => {
    const mode = modeOf(name);
    for (const { bookID, position, payoutMultiplier } of mode.books()) {
      const totals = totalsOf(JSON.parse(String(await mode.readEvents(position))));
      if (totals.some(({ shown, paid }) => shown !== paid)) expect(totals, `book ${bookID}`).toEqual([]);
      if (totals.at(-1)?.paid !== Number(payoutMultiplier)) expect(totals, `book ${bookID}`).toEqual(payoutMultiplier);
    }
  });

  it('has books with the events that the rules give for their boards', async () => {
    const mode = modeOf(name);
    for (let read = 0; read < BOOKS_READ; read++) {
      const position = Math.floor((read * mode.bookCount) / BOOKS_READ);
      const events = JSON.parse(String(await mode.readEvents(position))) as BookEvent[];
      const expected = eventsByHand(events.flatMap((event) => (event.type === 'reveal' ? [event.board] : [])));
      if (!isDeepStrictEqual(events, expected)) expect(events, `book at ${position}`).toEqual(expected);
    }
  });
});

/**
 * Returns each total in a book beside the sum of the wins before it; the last is what the book
 * pays.
 */
function totalsOf(events: readonly BookEvent[]): { shown: number; paid: number }[] {
  const totals: { shown: number; paid: number }[] = [];
  let paid = 0;
  let beforeFreeSpins = 0;
  for (const event of events) {
    if (event.type === 'setWin') paid += event.amount;
    else if (event.type === 'freeSpinTrigger') beforeFreeSpins = paid;
    else if (event.type === 'freeSpinEnd') totals.push({ shown: event.amount, paid: paid - beforeFreeSpins });
    else if (event.type === 'setTotalWin' || event.type === 'winCap') totals.push({ shown: event.amount, paid });
    else if (event.type === 'finalWin') totals.push({ shown: event.amount, paid });
  }
  return totals;
}

function modeOf(name: ModeName): MathMode {
  const mode = math.modes.get(name);
  if (mode === undefined) throw new Error(`no mode ${name}`);
  return mode;
}

async function rowsOf(name: ModeName): Promise<{ weight: bigint; payout: number }[]> {
  const table = await readFile(join(mathFolder, `lookUpTable_${name}_0.csv`), 'utf8');
  return table
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','))
    .map(([, weight = '', payout]) => ({ weight: BigInt(weight), payout: Number(payout) }));
}
