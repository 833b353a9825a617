import { describe, expect, it } from 'vitest';
import { checkTable, leafCheck, placeOfTicket } from '../src/checkTable.ts';
import { bytesOf, type FairTable, hex, leafBytes, nodeBytes, sha256, splitOf, stepsOf, verify } from '../src/index.ts';
import { above, leafOf, levelsOf, makeDocument, makeTable, numbersFrom, tableOf } from './support/makeDocument.ts';

const COUNTS = Array.from({ length: 70 }, (_, index) => index + 1);

it('leaves and nodes have the bytes of the scheme', () => {
  const [row, other] = makeTable(2).rows;
  if (!row || !other) throw new Error('no rows');
  const bookHash = sha256(new TextEncoder().encode(row.events));
  const leaf = sha256(leafBytes({ id: BigInt(row.id), weight: row.weight, payout: row.payout, bookHash }));
  expect(hex(leaf)).toBe(hex(leafOf(row).hash));
  expect(leafCheck(leaf)).toBe(hex(leaf).slice(0, 8));
  const node = sha256(nodeBytes(leafOf(row), leafOf(other)));
  expect(hex(node)).toBe(hex(above(leafOf(row), leafOf(other)).hash));
});

it('a tree is split at the largest power of two below its rows', () => {
  const splits = [2, 3, 4, 5, 8, 9, 64, 65, 2 ** 53 - 1].map(splitOf);
  expect(splits).toEqual([1, 2, 2, 4, 4, 8, 32, 64, 2 ** 52]);
});

describe.each(COUNTS)('a table of %i rows', (count) => {
  const table = makeTable(count, 'BASE', count);

  it('proves each row, and its tickets', () => {
    let first = 0n;
    for (const [position, { weight }] of table.rows.entries()) {
      const written = tableOf(table, [position]);
      const check = checkTable(written);
      expect(check).toMatchObject({ root: written.root, hasShape: true, changed: [], misplaced: [] });
      expect(check.weight).toBe(BigInt(written.totalWeight));
      expect(check.firsts).toEqual([first]);
      expect(written.siblings.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      expect(
        [first - 1n, first, first + weight - 1n, first + weight].map((t) => placeOfTicket(written, check, t)),
      ).toEqual([-1, 0, 0, -1]);
      first += weight;
    }
  });

  it('finds any bit that is changed', () => {
    const below = numbersFrom(count);
    for (const position of table.rows.keys()) {
      const written = tableOf(table, [position]);
      for (const tampered of tamperedBits(written, below)) {
        const check = checkTable(tampered);
        const isFound = check.root !== tampered.root || `${check.weight}` !== tampered.totalWeight;
        expect(isFound, JSON.stringify(tampered)).toBe(true);
      }
    }
  });

  it('proves any set of rows together', () => {
    const below = numbersFrom(count * 31);
    for (let run = 0; run < 5; run += 1) {
      const positions = [...table.rows.keys()].filter(() => below(4) === 0);
      const written = tableOf(table, positions);
      const check = checkTable(written);
      expect([check.root, check.hasShape]).toEqual([written.root, true]);
    }
  });
});

it('the path of a round leads from its leaf to the top, level by level', () => {
  const table = makeTable(53);
  const serverSeed = Buffer.alloc(32, 5);
  const clientSeeds = [{ from: 0, clientSeed: 'path' }];
  const plays = Array.from({ length: 20 }, () => ({ table: 0, amount: 100 }));
  const document = makeDocument({ serverSeed, clientSeeds, tables: [table], plays });
  expect(verify(document).ok).toBe(true);
  const top = levelsOf(table.rows).at(-1)?.[0];
  for (const { nonce } of document.rounds) {
    const { row, path = [] } = stepsOf(document, nonce) ?? {};
    if (!row) throw new Error('no row');
    let node = { weight: BigInt(row.weight), hash: bytesOf(row.leaf) };
    for (const { side, weight, hash, aboveWeight, aboveHash } of path) {
      const sibling = { weight: BigInt(weight), hash: bytesOf(hash) };
      node = side === 'left' ? above(sibling, node) : above(node, sibling);
      expect([`${node.weight}`, hex(node.hash)]).toEqual([aboveWeight, aboveHash]);
    }
    expect([node.weight, hex(node.hash)]).toEqual([top?.weight, hex(top?.hash ?? new Uint8Array())]);
  }
});

/** Changes one random bit in each field that the root binds. */
function tamperedBits(table: FairTable, below: (limit: number) => number): FairTable[] {
  const flippedHash = (digits: string): string => {
    const bytes = bytesOf(digits);
    const at = below(32);
    bytes[at] = (bytes[at] as number) ^ (1 << below(8));
    return hex(bytes);
  };
  const flipped = (text: string): string => `${BigInt(text) ^ (1n << BigInt(below(63)))}`;
  const edits: ((copy: FairTable) => void)[] = [
    (copy) => set(copy.drawn[0], 1, (copy.drawn[0]?.[1] as number) ^ (1 << below(30))),
    (copy) => set(copy.drawn[0], 2, flipped(copy.drawn[0]?.[2] as string)),
    (copy) => set(copy.drawn[0], 3, flipped(copy.drawn[0]?.[3] as string)),
    (copy) => set(copy.drawn[0], 4, flippedHash(copy.drawn[0]?.[4] as string)),
    (copy) => Object.assign(copy, { root: flippedHash(copy.root) }),
    (copy) => Object.assign(copy, { totalWeight: flipped(copy.totalWeight) }),
    (copy) => Object.assign(copy, { rows: copy.rows + 1 }),
    ...table.siblings.flatMap((_, at) => [
      (copy: FairTable) => set(copy.siblings[at], 0, flipped(copy.siblings[at]?.[0] as string)),
      (copy: FairTable) => set(copy.siblings[at], 1, flippedHash(copy.siblings[at]?.[1] as string)),
    ]),
  ];
  return edits.map((edit) => {
    const copy = structuredClone(table);
    edit(copy);
    return copy;
  });
}

function set(list: unknown[] | undefined, at: number, value: unknown): void {
  if (list) list[at] = value;
}
