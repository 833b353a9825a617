import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  booksText,
  bookTexts,
  indexText,
  type RawMath,
  tableText,
  temporaryFolder,
  writeRawMath,
  zstd,
} from '../../test/support/folders.ts';
import type { LoadProgress, MathMode, MathPackage } from '../types.ts';
import { openMath } from './openMath.ts';

async function opened(folder: string, storeFolder: string): Promise<MathPackage> {
  const outcome = await openMath({ folder, storeFolder });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.value;
}

function baseOf(math: MathPackage): MathMode {
  return math.modes.get('BASE') as MathMode;
}

function eventsOf(mode: MathMode): string[] {
  return Array.from({ length: mode.bookCount }, (_, position) => mode.readEvents(position).toString());
}

const publishedEvents = ['[{"type": "reveal"}]', '[{"type": "win", "text": "a ] \\" } é"}, 1e2]', '[ [] ]'];

describe('openMath', () => {
  it('gives what was published, byte for byte', async () => {
    const math = await opened(await writeRawMath(), await temporaryFolder());
    const mode = baseOf(math);
    expect(math.reopened).toBe(false);
    expect(mode).toMatchObject({ name: 'base', key: 'BASE', cost: '1', bookCount: 3, totalWeight: 4n });
    expect(mode.distinctPayouts).toEqual([0n, 20n, 150n]);
    expect(mode.files.table).toMatchObject({ name: 'table.csv', bytes: tableText.length });
    expect(eventsOf(mode)).toEqual(publishedEvents);
    expect(mode.find(1)).toEqual({ position: 1, bookID: 1, payoutMultiplier: 150n });
    expect([mode.find(3), mode.find(-1), mode.find(0.5)]).toEqual([undefined, undefined, undefined]);
    const drawn = mode.draw((into) => into.set([0, 3]));
    expect(drawn).toEqual({ position: 2, bookID: 2, payoutMultiplier: 20n });
    expect(() => mode.readEvents(3)).toThrow(RangeError);
    await math.close();
    expect(() => mode.readEvents(0)).toThrow();
  });

  it.each<[string, RawMath]>([
    ['CRLF', { table: tableText.replaceAll('\n', '\r\n'), books: booksText.replaceAll('\n', '\r\n') }],
    ['a missing last line feed', { table: tableText.trimEnd(), books: booksText.trimEnd() }],
    [
      'CRLF with the last one missing',
      { table: tableText.trimEnd().replaceAll('\n', '\r\n'), books: bookTexts.join('\r\n') },
    ],
    ['byte order marks', { index: `\uFEFF${indexText}`, table: `\uFEFF${tableText}`, books: `\uFEFF${booksText}` }],
    ['several frames', { booksFile: Buffer.concat([zstd(booksText.slice(0, 100)), zstd(booksText.slice(100))]) }],
    ['leading zeros in the table', { table: '00,01,000\n1,2,150\n2,1,020\n' }],
  ])('takes %s', async (_name, raw) => {
    const math = await opened(await writeRawMath(raw), await temporaryFolder());
    expect(eventsOf(baseOf(math))).toEqual(publishedEvents);
    expect(baseOf(math).distinctPayouts).toEqual([0n, 20n, 150n]);
    await math.close();
  });

  it.each([[[1, 2, 3]], [[7, 5, 9_007_199_254_740_991]], [[100, 0, 50]]])(
    'takes the ids %j in any order',
    async (ids) => {
      const table = ids.map((id) => `${id},1,0\n`).join('');
      const books = ids.map((id) => `{"id":${id},"payoutMultiplier":0,"events":[${id}]}\n`).join('');
      const math = await opened(await writeRawMath({ table, books }), await temporaryFolder());
      for (const [position, id] of ids.entries()) {
        expect(baseOf(math).find(id)).toMatchObject({ position, bookID: id });
        expect(baseOf(math).readEvents(position).toString()).toBe(`[${id}]`);
      }
      expect(baseOf(math).find(6)).toBeUndefined();
      await math.close();
    },
  );

  it('keeps weights and payouts up to 2^64−1 exactly', async () => {
    const max = 2n ** 64n - 1n;
    const table = `0,${max - 1n},${max}\n1,1,9007199254740993\n`;
    const books = `{"id":0,"payoutMultiplier":${max},"events":[0]}\n{"id":1,"payoutMultiplier":9007199254740993,"events":[0]}\n`;
    const math = await opened(await writeRawMath({ table, books }), await temporaryFolder());
    expect(baseOf(math).totalWeight).toBe(max);
    expect(baseOf(math).distinctPayouts).toEqual([9007199254740993n, max]);
    await math.close();
  });

  it('lists what is known of each book without reading it', async () => {
    const table = '5,3,0\n2,0,150\n9,18446744073709551612,20\n';
    const books = ['[1]', '["é"]', '[1, 2]'].map(
      (events, row) => `{"id":${[5, 2, 9][row]},"payoutMultiplier":${[0, 150, 20][row]},"events":${events}}\n`,
    );
    const math = await opened(await writeRawMath({ table, books: books.join('') }), await temporaryFolder());
    expect([...baseOf(math).books()]).toEqual([
      { position: 0, bookID: 5, payoutMultiplier: 0n, weight: 3n, eventBytes: 3 },
      { position: 1, bookID: 2, payoutMultiplier: 150n, weight: 0n, eventBytes: 6 },
      { position: 2, bookID: 9, payoutMultiplier: 20n, weight: 2n ** 64n - 4n, eventBytes: 6 },
    ]);
    await math.close();
  });

  it('reports progress up to the end of each mode', async () => {
    const seen: LoadProgress[] = [];
    const outcome = await openMath({
      folder: await writeRawMath(),
      storeFolder: await temporaryFolder(),
      onProgress: (progress) => seen.push(progress),
    });
    const bytes = zstd(booksText).length;
    expect(seen.at(-1)).toEqual({ mode: 'base', bytesRead: bytes, bytesTotal: bytes, books: 3 });
    if (outcome.ok) await outcome.value.close();
  });

  it("leaves nothing behind when it is aborted, and rejects with the signal's reason", async () => {
    const storeFolder = await temporaryFolder();
    const controller = new AbortController();
    const reason = new Error('enough');
    const opening = openMath({
      folder: await writeRawMath(),
      storeFolder,
      onProgress: () => controller.abort(reason),
      signal: controller.signal,
    });
    await expect(opening).rejects.toBe(reason);
    expect(await readdir(storeFolder)).toEqual([]);
  });
});
