/**
 * The rows of a table are the leaves of a Merkle tree that also sums their weights. So the path of
 * one row proves the row, and which tickets it has.
 */

/**
 * `payout` is the payout multiplier in hundredths. `bookHash` is the SHA-256 of the book's events.
 */
export type Row = { id: bigint; weight: bigint; payout: bigint; bookHash: Uint8Array };

/** `weight` is the sum over the rows below. */
export type TreeNode = { weight: bigint; hash: Uint8Array };

/** Returns the bytes whose SHA-256 is the hash of a row. */
export function leafBytes({ id, weight, payout, bookHash }: Row): Uint8Array {
  return packed(0, [id, weight, payout, bookHash]);
}

/** Returns the bytes whose SHA-256 is the hash above two nodes. */
export function nodeBytes(left: TreeNode, right: TreeNode): Uint8Array {
  return packed(1, [left.weight, left.hash, right.weight, right.hash]);
}

/** Returns the bytes whose SHA-256 is the commitment to a table. */
export function rootBytes(rows: number, { weight, hash }: TreeNode): Uint8Array {
  return packed(2, [BigInt(rows), weight, hash]);
}

/** Returns how many of `count` rows, 2 or more, are on the left: the largest power of two below. */
export function splitOf(count: number): number {
  let left = 1;
  while (left * 2 < count) left *= 2;
  return left;
}

const LONGEST = 81;

function packed(prefix: number, parts: (bigint | Uint8Array)[]): Uint8Array {
  const bytes = new Uint8Array(LONGEST);
  const view = new DataView(bytes.buffer);
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    if (typeof part === 'bigint') view.setBigUint64(at, part);
    else bytes.set(part, at);
    at += typeof part === 'bigint' ? 8 : part.length;
  }
  return bytes.subarray(0, at);
}
