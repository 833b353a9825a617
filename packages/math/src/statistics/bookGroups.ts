/** A group has consecutive books. `end` is the position after the last of them. */
export type BookGroup = { end: number; probability: number };

/**
 * Divides the books of a table into at most `most` groups, each with a probability of at least
 * 1/most. `cumulative` has the running sums of the weights.
 */
export function bookGroups(cumulative: BigUint64Array, most: number): BookGroup[] {
  const total = cumulative[cumulative.length - 1] as bigint;
  const least = (total + BigInt(most) - 1n) / BigInt(most);
  const sums: bigint[] = [0n];
  const ends: number[] = [];
  for (let before = 0n; total - before >= least; ) {
    const end = positionOf(cumulative, before + least) + 1;
    before = cumulative[end - 1] as bigint;
    ends.push(end);
    sums.push(before);
  }
  // What is left is less than a group.
  ends[ends.length - 1] = cumulative.length;
  sums[sums.length - 1] = total;
  return ends.map((end, index) => {
    const weight = (sums[index + 1] as bigint) - (sums[index] as bigint);
    return { end, probability: Number(weight) / Number(total) };
  });
}

/** Finds the first position whose running sum is `sum` or more. */
function positionOf(cumulative: BigUint64Array, sum: bigint): number {
  let from = 0;
  let to = cumulative.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((cumulative[middle] as bigint) >= sum) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Returns the index of the group that a position belongs to. */
export function groupOf(groups: readonly BookGroup[], position: number): number {
  let from = 0;
  let to = groups.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((groups[middle] as BookGroup).end > position) to = middle;
    else from = middle + 1;
  }
  return from;
}
