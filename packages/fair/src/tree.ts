/**
 * The rows of a table are the leaves of a Merkle tree that also sums their weights. So the path of
 * one row proves the row, and which tickets it has.
 */

/** `payout` is the payout multiplier in hundredths. `bookHash` is the SHA-256 of the book's events. */
export type Row = { id: bigint; weight: bigint; payout: bigint; bookHash: Uint8Array };

/** `weight` is the sum over the rows below. */
export type TreeNode = { weight: bigint; hash: Uint8Array };

const HASH_BYTES = 32;

/** Returns the bytes whose SHA-256 is the hash of a row. */
export function leafBytes({ id, weight, payout, bookHash }: Row): Uint8Array {
  return bytes(0, id, weight, payout, bookHash);
}

/** Returns the bytes whose SHA-256 is the hash above two nodes. */
export function nodeBytes(left: TreeNode, right: TreeNode): Uint8Array {
  return bytes(1, left.weight, left.hash, right.weight, right.hash);
}

/** Returns the bytes whose SHA-256 is the commitment to a table. */
export function rootBytes(rows: number, { weight, hash }: TreeNode): Uint8Array {
  return bytes(2, BigInt(rows), weight, hash);
}

/** Returns how many of `count` rows, 2 or more, are on the left: the largest power of two below. */
export function splitOf(count: number): number {
  let left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

function bytes(prefix: number, ...parts: (bigint | Uint8Array)[]): Uint8Array {
  const sizes = parts.map((part) => (typeof part === 'bigint' ? 8 : HASH_BYTES));
  const all = new Uint8Array(1 + sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(all.buffer);
  all[0] = prefix;
  let at = 1;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'bigint') view.setBigUint64(at, part);
    else all.set(part, at);
    at += sizes[index] as number;
  }
  return all;
}
