import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folders.ts';
import { openMath } from '../read/openMath.ts';
import { publishMath, type WeightedBook } from './publish.ts';

const book = (changes: object): WeightedBook => ({ id: 0, payoutMultiplier: 0, events: [1], weight: 1, ...changes });

describe('publishMath', () => {
  it('writes what openMath reads, for any books', async () => {
    const books = fc.array(
      fc.record({
        payoutMultiplier: fc.nat(),
        events: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }),
        weight: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 58n })),
        criteria: fc.string(),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(books, fc.constantFrom(1, 1.25, 100), async (contents, cost) => {
        const withIDs = contents.map((content, id) => ({ id, ...content }));
        fc.pre(withIDs.some(({ weight }) => BigInt(weight) > 0n));
        const [folder, storeFolder] = [await temporaryFolder(), await temporaryFolder()];
        await publishMath(folder, [{ name: 'base', cost, books: withIDs }]);
        const outcome = await openMath({ folder, storeFolder });
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
        const mode = outcome.value.modes.get('BASE');
        expect(mode?.cost).toBe(String(cost));
        for (const { id, events, payoutMultiplier } of withIDs) {
          expect(mode?.readEvents(id).toString()).toBe(JSON.stringify(events));
          expect(mode?.find(id)?.payoutMultiplier).toBe(BigInt(payoutMultiplier));
        }
        await outcome.value.close();
      }),
      { numRuns: 30 },
    );
  });

  it('writes the same bytes for the same books', async () => {
    const publish = async (): Promise<Buffer[]> => {
      const folder = await temporaryFolder();
      const books = Array.from({ length: 500 }, (_, id) => book({ id, events: [{ index: 0, board: 'x'.repeat(id) }] }));
      await publishMath(folder, [{ name: 'base', cost: 1, books }]);
      const names = ['index.json', 'lookUpTable_base_0.csv', 'books_base.jsonl.zst'];
      return Promise.all(names.map((name) => readFile(join(folder, name))));
    };
    expect(await publish()).toEqual(await publish());
  });

  it.each([
    { id: -1 },
    { id: 0.5 },
    { payoutMultiplier: 1.5 },
    { payoutMultiplier: -1 },
    { weight: 2n ** 64n },
    { weight: 1.5 },
  ])('refuses %o', async (changes) => {
    const publishing = publishMath(await temporaryFolder(), [{ name: 'base', cost: 1, books: [book(changes)] }]);
    await expect(publishing).rejects.toThrow(RangeError);
  });

  const folderWith = async (names: readonly string[]): Promise<string> => {
    const folder = join(await temporaryFolder(), 'math');
    await mkdir(folder);
    for (const name of names) await writeFile(join(folder, name), name);
    return folder;
  };
  const PUBLISHED = ['books_base.jsonl.zst', 'index.json', 'lookUpTable_base_0.csv'];

  it.each<[string, string[]]>([
    ['an empty folder', []],
    ['published files', ['index.json', 'lookUpTable_old_0.csv']],
  ])('replaces %s, and leaves nothing beside it', async (_, names) => {
    const folder = await folderWith(names);
    await publishMath(folder, [{ name: 'base', cost: 1, books: [book({})] }]);
    expect((await readdir(folder)).sort()).toEqual(PUBLISHED);
    expect(await readdir(dirname(folder))).toEqual(['math']);
  });

  it('leaves the former files when it fails, and nothing beside them', async () => {
    const folder = await folderWith(['index.json']);
    const failing = publishMath(folder, [{ name: 'base', cost: 1, books: [book({}), book({ id: -1 })] }]);
    await expect(failing).rejects.toThrow(RangeError);
    expect(await readdir(folder)).toEqual(['index.json']);
    expect(await readdir(dirname(folder))).toEqual(['math']);
  });

  it('refuses a folder with other files', async () => {
    const folder = await folderWith(['index.json', 'holiday.jpg']);
    const publishing = publishMath(folder, [{ name: 'base', cost: 1, books: [book({})] }]);
    await expect(publishing).rejects.toThrow(/math is not replaced: holiday.jpg is in it/);
    expect((await readdir(folder)).sort()).toEqual(['holiday.jpg', 'index.json']);
  });

  it('shows a reader whole files only, while others publish again and again', async () => {
    const folder = await folderWith([]);
    const storeFolder = await temporaryFolder();
    const publishTimes = async (times: number, payoutMultiplier: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const books = [book({ payoutMultiplier }), book({ id: 1, payoutMultiplier: payoutMultiplier + time })];
        await publishMath(folder, [{ name: 'base', cost: 1, books }]);
      }
    };
    let isPublishing = true;
    const publishing = Promise.all([publishTimes(20, 100), publishTimes(20, 200)]).finally(() => {
      isPublishing = false;
    });
    let reads = 0;
    while (isPublishing) {
      // The names are all of one instant: a part of a folder would lack some.
      const names = await readdir(folder).catch(() => []);
      if (names.length > 0) expect(names.sort()).toEqual(PUBLISHED);
      reads += 1;
    }
    await publishing;
    expect(reads).toBeGreaterThan(10);
    const outcome = await openMath({ folder, storeFolder });
    expect(outcome.ok).toBe(true);
    if (outcome.ok) await outcome.value.close();
    expect(await readdir(dirname(folder))).toEqual(['math']);
  });
});
