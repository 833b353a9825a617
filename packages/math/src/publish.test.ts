import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/support/folders.ts';
import { openMath } from './openMath.ts';
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
});
