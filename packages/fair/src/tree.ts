/**
 * The rows of a table are the leaves of a Merkle tree that also sums their weights. So the path of
 * one row proves the row, and which tickets it has.
 */

/** `payout` is the payout multiplier in hundredths. `bookHash` is the SHA-256 of the book's events. */
export type Row = { id: bigint; weight: bigint; payout: bigint; bookHash: Uint8Array };

/** `weight` is the sum over the rows below. */
export type TreeNode = { weight: bigint; hash: Uint8Array };

/** Returns the bytes whose SHA-256 is the hash of a row. */
export function leafBytes({ id, weight, payout, bookHash }: Row): Uint8Array {
  const [bytes, view] = started(0, 57);
  view.setBigUint64(1, id);
  view.setBigUint64(9, weight);
  view.setBigUint64(17, payout);
  bytes.set(bookHash, 25);
  return bytes;
}

/** Returns the bytes whose SHA-256 is the hash above two nodes. */
export function nodeBytes(left: TreeNode, right: TreeNode): Uint8Array {
  const [bytes, view] = started(1, 81);
  view.setBigUint64(1, left.weight);
  bytes.set(left.hash, 9);
  view.setBigUint64(41, right.weight);
  bytes.set(right.hash, 49);
  return bytes;
}

/** Returns the bytes whose SHA-256 is the commitment to a table. */
export function rootBytes(rows: number, { weight, hash }: TreeNode): Uint8Array {
  const [bytes, view] = started(2, 49);
  view.setBigUint64(1, BigInt(rows));
  view.setBigUint64(9, weight);
  bytes.set(hash, 17);
  return bytes;
}

/** Returns how many of `count` rows, 2 or more, are on the left: the largest power of two below. */
export function splitOf(count: number): number {
  let left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

function started(prefix: number, size: number): [Uint8Array, DataView] {
  const bytes = new Uint8Array(size);
  bytes[0] = prefix;
  return [bytes, new DataView(bytes.buffer)];
}
