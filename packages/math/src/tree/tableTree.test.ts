import { randomBytes, randomInt } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leafBytes, nodeBytes, rootBytes, sha256, splitOf, type TreeNode } from '@roundhouse/fair';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildForChildren, runChild } from '../../test/support/childProcess.ts';
import { openMode, type RawRow, writeRows } from '../../test/support/rows.ts';
import { openMath, openStoredMath } from '../read/openMath.ts';
import type { MathMode, TableProof } from '../types.ts';

const rowList = fc.array(
  fc.record({
    weight: fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 56n })),
    payout: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    events: fc.string({ maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 200 },
);

/** Adds ids that do not ascend, and sees to a weight above zero. */
function tableOf(rows: readonly Omit<RawRow, 'id'>[]): RawRow[] {
  return rows.map((row, index) => ({
    ...row,
    id: (index * 7919) % 100_003,
    weight: index === rows.length - 1 ? row.weight + 1n : row.weight,
  }));
}

function leafOf({ id, weight, payout, events }: RawRow): TreeNode {
  const bookHash = sha256(Buffer.from(JSON.stringify([events])));
  return { weight, hash: sha256(leafBytes({ id: BigInt(id), weight, payout, bookHash })) };
}

function join2(left: TreeNode, right: TreeNode): TreeNode {
  return { weight: left.weight + right.weight, hash: sha256(nodeBytes(left, right)) };
}

/** The definition: a recursion over all rows, with a split where RFC 6962 has it. */
function nodeOf(rows: readonly RawRow[]): TreeNode {
  if (rows.length === 1) return leafOf(rows[0] as RawRow);
  const left = splitOf(rows.length);
  return join2(nodeOf(rows.slice(0, left)), nodeOf(rows.slice(left)));
}

function rootOfNode(rows: number, node: TreeNode): string {
  return Buffer.from(sha256(rootBytes(rows, node))).toString('hex');
}

/** Checks a proof as a verifier does. Returns the root, and the first ticket of each row. */
function walk(rows: number, { drawn, siblings }: TableProof) {
  const [left, rest] = [[...drawn], [...siblings]];
  const firstTickets: bigint[] = [];
  let sum = 0n;
  const visit = (low: number, high: number): TreeNode => {
    const row = left[0];
    if (row === undefined || row.position >= high) {
      const sibling = rest.shift() as TreeNode;
      sum += sibling.weight;
      return sibling;
    }
    if (high - low > 1) {
      const middle = low + splitOf(high - low);
      return join2(visit(low, middle), visit(middle, high));
    }
    left.shift();
    firstTickets.push(sum);
    sum += row.weight;
    const { weight, payoutMultiplier: payout, bookHash } = row;
    return { weight, hash: sha256(leafBytes({ id: BigInt(row.bookID), weight, payout, bookHash })) };
  };
  const top = visit(0, rows);
  return { root: rootOfNode(rows, top), firstTickets, unused: left.length + rest.length };
}

describe('the commitment', () => {
  it('is the root of a recursion over all rows', async () => {
    await fc.assert(
      fc.asyncProperty(rowList, async (made) => {
        const rows = tableOf(made);
        await openMode(rows, async (mode) => {
          expect(mode.commitment).toEqual({
            rows: rows.length,
            totalWeight: mode.totalWeight,
            sha256: mode.files.table.sha256,
            root: rootOfNode(rows.length, nodeOf(rows)),
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 3, 255, 256, 257, 5000])('is so for %i rows', async (count) => {
    const rows = tableOf(Array.from({ length: count }, (_, row) => ({ weight: 1n, payout: BigInt(row), events: 'e' })));
    await openMode(rows, async (mode) => {
      expect(mode.commitment.root).toBe(rootOfNode(count, nodeOf(rows)));
    });
  });

  it('is so for books that a thread hashes', async () => {
    const rows = tableOf(
      Array.from({ length: 3000 }, () => ({
        weight: 1n,
        payout: 0n,
        events: randomBytes(3 * (1 + randomInt(400))).toString('base64'),
      })),
    );
    await openMode(rows, async (mode) => {
      expect(mode.files.books.bytes).toBeGreaterThan(2 ** 20);
      expect(mode.commitment.root).toBe(rootOfNode(rows.length, nodeOf(rows)));
    });
  });

  const table: RawRow[] = [3n, 0n, 5n, 1n].map((weight, id) => ({ id, weight, payout: 10n, events: `book ${id}` }));
  it.each<[string, RawRow[]]>([
    ['a weight', table.map((row) => (row.id === 2 ? { ...row, weight: 4n } : row))],
    [
      'a weight that moves to another row',
      table.map((row) => ({ ...row, weight: [3n, 1n, 4n, 1n][row.id] as bigint })),
    ],
    ['a payout', table.map((row) => (row.id === 1 ? { ...row, payout: 20n } : row))],
    ['an id', table.map((row) => (row.id === 3 ? { ...row, id: 4 } : row))],
    ['a book', table.map((row) => (row.id === 0 ? { ...row, events: 'other' } : row))],
    ['the order', table.toReversed()],
    ['a row more', [...table, { id: 9, weight: 0n, payout: 0n, events: '' }]],
    ['a row fewer', table.slice(0, 3)],
  ])('is another one after a change of %s', async (_name, changed) => {
    const rootOf = async (rows: RawRow[]) => {
      let root = '';
      await openMode(rows, async ({ commitment }) => {
        root = commitment.root;
      });
      return root;
    };
    expect(await rootOf(changed)).not.toBe(await rootOf(table));
  });
});

describe('proof', () => {
  it('leads any set of rows to the root, with the tickets of each', async () => {
    await fc.assert(
      fc.asyncProperty(rowList, fc.infiniteStream(fc.boolean()), async (made, chosen) => {
        const rows = tableOf(made);
        await openMode(rows, async (mode) => {
          const positions = rows.flatMap((_, position) => (chosen.next().value === true ? [position] : []));
          const proof = mode.proof(positions);
          expect(proof.drawn).toEqual(
            positions.map((position) => ({
              position,
              bookID: rows[position]?.id,
              payoutMultiplier: rows[position]?.payout,
              weight: rows[position]?.weight,
              bookHash: Buffer.from(sha256(mode.readEvents(position))),
            })),
          );
          const { root, firstTickets, unused } = walk(rows.length, proof);
          expect([root, unused]).toEqual([mode.commitment.root, 0]);
          for (const [place, { position, weight }] of proof.drawn.entries()) {
            if (weight > 0n) expect(mode.at(firstTickets[place] as bigint).position).toBe(position);
          }
        });
      }),
      { numRuns: 100 },
    );
  });

  it('has about as many siblings as the tree has levels', async () => {
    const rows = tableOf(Array.from({ length: 3000 }, () => ({ weight: 1n, payout: 0n, events: '' })));
    await openMode(rows, async (mode) => {
      for (const position of [0, 1, 1500, 2998, 2999]) {
        const proof = mode.proof([position]);
        expect(proof.siblings.length).toBeLessThanOrEqual(12);
        expect(walk(3000, proof)).toMatchObject({ root: mode.commitment.root, unused: 0 });
      }
      const all = mode.proof(rows.map((_, position) => position));
      expect(all.siblings).toEqual([]);
      expect(walk(3000, all).root).toBe(mode.commitment.root);
    });
  });

  it.each([[[3]], [[-1]], [[0.5]], [[Number.NaN]], [[1, 1]], [[2, 1]]])(
    'refuses the positions %j',
    async (positions) => {
      await openMode(tableOf([1n, 1n, 1n].map((weight) => ({ weight, payout: 0n, events: '' }))), async (mode) => {
        expect(() => mode.proof(positions)).toThrow(RangeError);
      });
    },
  );
});

describe('the tree in the store', () => {
  const rows = tableOf(
    Array.from({ length: 5000 }, (_, row) => ({ weight: BigInt(row), payout: 5n, events: `book ${row}` })),
  );

  async function reopened(storeFolder: string, sha256: string, use: (mode: MathMode) => void): Promise<string> {
    const outcome = await openStoredMath({ storeFolder, sha256 });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    const mode = outcome.value.modes.get('BASE') as MathMode;
    try {
      use(mode);
      return mode.commitment.root;
    } finally {
      await outcome.value.close();
    }
  }

  it.each<[string, (path: string) => Promise<void>]>([
    ['missing, as in an older store', (path) => rm(path)],
    ['empty', (path) => truncate(path, 0)],
    ['cut', async (path) => truncate(path, (await stat(path)).size - 1)],
    ['longer', async (path) => writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(32)]))],
    ['zeros', async (path) => writeFile(path, Buffer.alloc((await stat(path)).size))],
    ['wrong in its root', (path) => flip(path, -1)],
    ['wrong in its top', (path) => flip(path, -33)],
    ['wrong in a level of 157 nodes', (path) => flip(path, -8000)],
  ])('is made again when it is %s', async (_name, damage) => {
    const { folder, storeFolder } = await writeRows(rows);
    const first = await openMath({ folder, storeFolder });
    if (!first.ok) throw new Error(JSON.stringify(first.issues));
    const { sha256 } = first.value;
    await first.value.close();
    const path = join(storeFolder, sha256, '0.tree');
    const tree = await readFile(path);
    await damage(path);
    const root = await reopened(storeFolder, sha256, (mode) => expect(walk(5000, mode.proof([77])).unused).toBe(0));
    expect(root).toBe(rootOfNode(5000, nodeOf(rows)));
    expect((await readFile(path)).equals(tree)).toBe(true);
    expect((await readdir(storeFolder)).sort()).toEqual(['.sources', sha256]);
  });

  it('is made by several processes at once, each with a whole one', async () => {
    const { folder, storeFolder } = await writeRows(rows);
    const first = await openMath({ folder, storeFolder });
    if (!first.ok) throw new Error(JSON.stringify(first.issues));
    const { sha256, modes } = first.value;
    await first.value.close();
    const path = join(storeFolder, sha256, '0.tree');
    const tree = await readFile(path);
    await rm(path);
    const { entry, remove } = await buildForChildren('tree');
    onTestFinished(remove);
    const script = `
      const opened = await math.openStoredMath(${JSON.stringify({ storeFolder, sha256 })});
      const mode = opened.value.modes.get('BASE');
      mode.proof([0, 77, 4999]);
      process.stdout.write(mode.commitment.root);
      await opened.value.close();`;
    const results = await Promise.all(Array.from({ length: 4 }, () => runChild(entry, script)));
    const root = modes.get('BASE')?.commitment.root;
    expect(results).toEqual(results.map(() => ({ code: 0, output: root, errors: '' })));
    expect((await readFile(path)).equals(tree)).toBe(true);
    expect((await readdir(storeFolder)).sort()).toEqual(['.sources', sha256]);
  });

  it('gives no wrong proof where only the lower levels are damaged', async () => {
    const { folder, storeFolder } = await writeRows(rows);
    const first = await openMath({ folder, storeFolder });
    if (!first.ok) throw new Error(JSON.stringify(first.issues));
    const { sha256 } = first.value;
    await first.value.close();
    await flip(join(storeFolder, sha256, '0.tree'), 77 * 32);
    await reopened(storeFolder, sha256, (mode) => {
      expect(() => mode.proof([77])).toThrow('is damaged in the store');
      expect(walk(5000, mode.proof([4000])).unused).toBe(0);
    });
  });
});

/** Changes a byte; a negative place counts from the end. */
async function flip(path: string, place: number): Promise<void> {
  const bytes = await readFile(path);
  const at = place < 0 ? bytes.length + place : place;
  bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(path, bytes);
}
