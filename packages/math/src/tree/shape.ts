import { hash } from 'node:crypto';
import { leafBytes, rootBytes } from '@roundhouse/fair';
import type { ModeRows } from '../read/storeFiles.ts';

export const HASH_BYTES = 32;

/**
 * `start` counts the hashes in the levels below. Level 0 of the tree of a table is the rows, and
 * each level above has a node for every two. A last one without a partner moves up unchanged. So
 * node i is above the rows from i × 2^level on.
 */
export type Level = { start: number; length: number };

/** Returns the levels from the rows up to the one node on top. */
export function levelsOf(rows: number): Level[] {
  let level: Level = { start: 0, length: rows };
  const levels = [level];
  while (level.length > 1) {
    level = { start: level.start + level.length, length: Math.ceil(level.length / 2) };
    levels.push(level);
  }
  return levels;
}

/** Adds up the weights of the rows below a node. */
export function weightOf({ cumulative }: ModeRows, level: number, index: number): bigint {
  const first = index * 2 ** level;
  const end = Math.min(first + 2 ** level, cumulative.length);
  const before = first === 0 ? 0n : (cumulative[first - 1] as bigint);
  return (cumulative[end - 1] as bigint) - before;
}

/** Returns the bytes whose hash represents a row in the tree. */
export function rowBytes(rows: ModeRows, position: number, bookHash: Uint8Array): Uint8Array {
  return leafBytes({
    id: BigInt(rows.ids[position] as number),
    weight: weightOf(rows, 0, position),
    payout: rows.distinctPayouts[rows.payoutIndexes[position] as number] as bigint,
    bookHash,
  });
}

/** Returns the root of the tree whose top node has this hash. */
export function rootOf({ cumulative }: ModeRows, topHash: Uint8Array): Buffer {
  const top = { weight: cumulative[cumulative.length - 1] as bigint, hash: topHash };
  return sha256(rootBytes(cumulative.length, top));
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/** Returns the hash at a place of many, without a copy. */
export function hashAt(hashes: Buffer, place: number): Buffer {
  return hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
}
