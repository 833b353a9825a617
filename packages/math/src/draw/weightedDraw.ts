import type { Random64 } from '../types.ts';

/** A try fails with a chance below one half, so a sound source never needs as many. */
const MOST_TRIES = 1_000;
const GUIDE_BITS_MAX = 20;

/**
 * Draws positions with exactly their weights' probabilities, for any weights whose sum is 1 to
 * 2^64−1.
 *
 * A draw takes as many random bits as the sum needs and rejects values from the sum upwards (at
 * most half of them), so each value below the sum is equally likely; the position is the first
 * whose cumulative weight is above the value. It works in 32-bit halves: a bigint for each step of
 * the search costs more than the rest of the draw.
 */
export class WeightedDraw {
  readonly #cumulative: Uint32Array;
  readonly #bits: Uint32Array;
  readonly #totalHigh: number;
  readonly #totalLow: number;
  readonly #maskHigh: number;
  readonly #maskLow: number;
  readonly #guide: Uint32Array;
  readonly #guideBits: number;
  readonly #sumBits: number;

  /** `cumulative` has the running sums of the weights, so its last element is their sum. */
  constructor(cumulative: BigUint64Array) {
    const total = cumulative[cumulative.length - 1];
    if (total === undefined || total === 0n) throw new RangeError('the weights must have a sum above zero');
    const halves = new Uint32Array(cumulative.buffer, cumulative.byteOffset, cumulative.length * 2);
    this.#cumulative = halves;
    this.#bits = new Uint32Array(2);
    this.#totalLow = Number(total & 0xffffffffn);
    this.#totalHigh = Number(total >> 32n);
    this.#sumBits = (total - 1n).toString(2).length;
    const mask = (1n << BigInt(this.#sumBits)) - 1n;
    this.#maskLow = Number(mask & 0xffffffffn);
    this.#maskHigh = Number(mask >> 32n);
    this.#guideBits = Math.min(GUIDE_BITS_MAX, this.#sumBits, Math.ceil(Math.log2(cumulative.length + 1)));
    this.#guide = buildGuide(halves, this.#sumBits - this.#guideBits, this.#guideBits);
  }

  /** @throws Error when the source is broken: it gives no number below the sum of the weights. */
  draw(random: Random64): number {
    const bits = this.#bits;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      random(bits);
      const high = ((bits[0] as number) & this.#maskHigh) >>> 0;
      const low = ((bits[1] as number) & this.#maskLow) >>> 0;
      if (high < this.#totalHigh || (high === this.#totalHigh && low < this.#totalLow)) return this.#search(high, low);
    }
    throw new Error(`the source of random numbers gave ${MOST_TRIES} numbers that no draw can use`);
  }

  /** Returns the position that `value` belongs to. Throws RangeError unless it is 0 to sum − 1. */
  positionOf(value: bigint): number {
    const high = Number(value >> 32n);
    const low = Number(value & 0xffffffffn);
    const isBelow = high < this.#totalHigh || (high === this.#totalHigh && low < this.#totalLow);
    if (value < 0n || !isBelow) throw new RangeError(`there is no ticket ${value}`);
    return this.#search(high, low);
  }

  #search(high: number, low: number): number {
    const cumulative = this.#cumulative;
    const bucket = bucketOf(high, low, this.#sumBits - this.#guideBits);
    let from = this.#guide[bucket] as number;
    let to = this.#guide[bucket + 1] as number;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const sumHigh = cumulative[2 * middle + 1] as number;
      const isAbove = sumHigh > high || (sumHigh === high && (cumulative[2 * middle] as number) > low);
      if (isAbove) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/**
 * guide[b] is the position of the lowest value whose leading bits are b. It leaves the search two
 * or three steps where twenty, half of them cache misses, would be needed for 1,000,000 rows.
 */
function buildGuide(halves: Uint32Array, shift: number, guideBits: number): Uint32Array {
  const last = halves.length / 2 - 1;
  const guide = new Uint32Array(2 ** guideBits + 1).fill(last);
  let bucket = 0;
  for (let position = 0; position < last; position += 1) {
    const low = halves[2 * position] as number;
    const high = halves[2 * position + 1] as number;
    if (low === 0 && high === 0) continue;
    // It is the last bucket whose lowest value is below the sum.
    const end = bucketOf(low === 0 ? high - 1 : high, (low - 1) >>> 0, shift);
    for (; bucket <= end; bucket += 1) guide[bucket] = position;
  }
  return guide;
}

/** Returns the leading bits of a value: all but `shift` of them. */
function bucketOf(high: number, low: number, shift: number): number {
  return shift >= 32 ? high >>> (shift - 32) : ((high * 2 ** (32 - shift)) >>> 0) + (low >>> shift);
}
