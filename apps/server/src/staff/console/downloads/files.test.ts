import { once } from 'node:events';
import { learnCurrency } from '@roundhouse/contract';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { fileOf } from './files.ts';

const COLUMNS = [
  { name: 'name', isAmount: false },
  { name: 'amount', isAmount: true },
];
const BTC = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before' } as const;
const PAGE = Array.from({ length: 1000 }, (_, row) => [`row ${row}`, BigInt(row) * 1_000_000n]);

/** A reader that takes nothing lets the file read fewer pages. */
const MANY = 20;

/** Never ends. Tells how many pages were read, and whether the reader has let it go. */
function endlessPages() {
  const state = { read: 0, isOver: false };
  async function* pages() {
    try {
      for (;;) {
        state.read += 1;
        yield PAGE;
      }
    } finally {
      state.isOver = true;
    }
  }
  return { state, pages: pages() };
}

describe.each(['csv', 'xlsx'] as const)('a file of %s', (format) => {
  it('is read no further than its reader takes it', async () => {
    const { state, pages } = endlessPages();
    const file = fileOf(format, { columns: COLUMNS, pages });
    await once(file, 'readable');
    // Compression runs on another thread, so the count may rise for some turns more.
    for (let before = 0; before < state.read && state.read < MANY; ) {
      before = state.read;
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(state.read).toBeLessThan(MANY);
    file.destroy();
  });

  it('lets its rows go when its reader goes', async () => {
    const { state, pages } = endlessPages();
    const file = fileOf(format, { columns: COLUMNS, pages });
    for await (const part of file) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => state.isOver).toBe(true);
  });

  it('fails when a page cannot be read, and does not end as if it were whole', async () => {
    async function* failing() {
      yield PAGE;
      throw new Error('the database is away');
    }
    const file = fileOf(format, { columns: COLUMNS, pages: failing() });
    await expect(file.resume().toArray()).rejects.toThrow('the database is away');
  });
});

it('an amount is exact in units of the currency of its row, also where a micro is a smaller part', async () => {
  learnCurrency({ ...BTC, wireUnitsPerUnit: 100 });
  const columns = [...COLUMNS, { name: 'currency', isAmount: false }];
  const rows = [
    ['a', 9_007_199_254_740_993n, 'BTC'],
    ['b', -1n, 'BTC'],
    ['c', -1_500_000n, 'USD'],
    ['d', null, null],
  ];
  async function* pages() {
    yield rows;
  }
  const csv = await fileOf('csv', { columns, pages: pages() }).toArray();
  expect(Buffer.concat(csv).toString()).toBe(
    'name,amount (in currency),currency\na,90071992.54740993,BTC\nb,-0.00000001,BTC\nc,-1.500000,USD\nd,,\n',
  );
  const bytes = Buffer.concat(await fileOf('xlsx', { columns, pages: pages() }).toArray());
  const { sheets } = await readXlsx(new Uint8Array(bytes));
  expect(sheets[0]?.rows.map(([, amount]) => amount)).toEqual([
    ...['amount (in currency)', '90071992.54740993', -0.000_000_01, -1.5, null],
  ]);
});
