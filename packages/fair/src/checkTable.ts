import type { DrawnRow, FairTable } from './document.ts';
import { bytesOf, hex, sha256 } from './hash.ts';
import { leafBytes, nodeBytes, rootBytes, splitOf, type TreeNode } from './tree.ts';

/** `side`, `weight` and `hash` are of the sibling, the others of the node above both. */
export type StepLevel = {
  side: 'left' | 'right';
  weight: string;
  hash: string;
  aboveWeight: string;
  aboveHash: string;
};

export type TableCheck = {
  /** Each drawn row has its first ticket here. */
  firsts: bigint[];
  /** Finds a place in `drawn` by the id of the row. */
  placeOf: Map<number, number>;
  /** Places in `drawn` of rows whose position is not above the one before, or not in the table. */
  misplaced: number[];
  /** Places in `drawn` of rows that do not fit their check digits. */
  changed: number[];
  /** Whether there are as many siblings as the drawn rows leave parts of the tree. */
  hasShape: boolean;
  weight: bigint;
  root: string;
};

const NOTHING: TreeNode = { weight: 0n, hash: new Uint8Array(32) };

/**
 * Walks the tree from left to right. `path` gets the levels of the row at the place `of` in
 * `drawn`, from the leaf up.
 */
export function checkTable(table: FairTable, of?: number, path: StepLevel[] = []): TableCheck {
  const { drawn, siblings, rows } = table;
  const misplaced = drawn.flatMap(([position], place) =>
    position >= rows || (place > 0 && position <= (drawn[place - 1]?.[0] as number)) ? [place] : [],
  );
  const placeOf = new Map(drawn.map(([, id], place) => [id, place]));
  const check = { firsts: [] as bigint[], placeOf, misplaced, changed: [] as number[] };
  let used = 0;
  let before = 0n;

  /**
   * Returns the node above the rows from `low` up to, not including, `high`; `from` and `to` are
   * places in `drawn`.
   */
  const walk = (low: number, high: number, from: number, to: number): TreeNode => {
    if (from === to) {
      const sibling = siblings[used++];
      if (!sibling) return NOTHING;
      const node = { weight: BigInt(sibling[0]), hash: bytesOf(sibling[1]) };
      before += node.weight;
      return node;
    }
    if (high - low === 1) return leaf(from);
    const middle = low + splitOf(high - low);
    const cut = search(drawn.length, (place) => (drawn[place]?.[0] as number) >= middle);
    const left = walk(low, middle, from, cut);
    const right = walk(middle, high, cut, to);
    const above = { weight: left.weight + right.weight, hash: sha256(nodeBytes(left, right)) };
    if (of !== undefined && of >= from && of < to) {
      const { weight, hash } = of < cut ? right : left;
      const levelAbove = { aboveWeight: `${above.weight}`, aboveHash: hex(above.hash) };
      path.push({ side: of < cut ? 'right' : 'left', weight: `${weight}`, hash: hex(hash), ...levelAbove });
    }
    return above;
  };
  const leaf = (place: number): TreeNode => {
    const node = leafOf(table, place);
    const digits = drawn[place]?.[5];
    if (digits && digits !== leafCheck(node.hash)) check.changed.push(place);
    check.firsts.push(before);
    before += node.weight;
    return node;
  };
  const top = misplaced.length > 0 ? NOTHING : walk(0, rows, 0, drawn.length);
  return {
    ...check,
    hasShape: used === siblings.length,
    weight: top.weight,
    root: hex(sha256(rootBytes(rows, top))),
  };
}

/** Returns the leaf of the row at a place of `drawn`. */
export function leafOf({ drawn }: FairTable, place: number): TreeNode {
  const [, id, weight, payout, bookHash] = drawn[place] as DrawnRow;
  const row = { id: BigInt(id), weight: BigInt(weight), payout: BigInt(payout), bookHash: bytesOf(bookHash) };
  return { weight: row.weight, hash: sha256(leafBytes(row)) };
}

/** Returns the check digits of a row for a document, of the hash of its leaf. */
export function leafCheck(hash: Uint8Array): string {
  return hex(hash.subarray(0, 4));
}

/** Returns the place in `drawn` of the row that has the ticket, or -1 when the row is not there. */
export function placeOfTicket({ drawn }: FairTable, { firsts }: TableCheck, ticket: bigint): number {
  const place = search(firsts.length, (at) => (firsts[at] as bigint) > ticket) - 1;
  const isInside = place >= 0 && ticket < (firsts[place] as bigint) + BigInt(drawn[place]?.[2] as string);
  return isInside ? place : -1;
}

/** Returns the first place for which the test holds, as it does for all after it; else `count`. */
export function search(count: number, test: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const half = (low + high) >> 1;
    if (test(half)) high = half;
    else low = half + 1;
  }
  return low;
}
