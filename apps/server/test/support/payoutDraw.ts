import { type MathMode, type PayoutMoments, seededRandom } from '@roundhouse/math';
import { type RoundSums, rtpInterval, type Theory, zScore } from '../../src/watch/rtp/bounds.ts';

/** A normal distribution exceeds this z-score once in 1,000, in both directions. */
export const NORMAL = 3.2905;

/** Maps payouts in hundredths of the base bet to weights. */
export type Table = ReadonlyMap<number, bigint>;

/** Returns the table of a published mode; `weights`, by position, replace its own. */
export function tableOf(mode: Pick<MathMode, 'books'>, weights?: BigUint64Array): Table {
  const table = new Map<number, bigint>();
  for (const { position, payoutMultiplier, weight } of mode.books()) {
    const payout = Number(payoutMultiplier);
    table.set(payout, (table.get(payout) ?? 0n) + (weights?.[position] ?? weight));
  }
  return table;
}

export function momentsOf(table: Table): PayoutMoments {
  const moments = { totalWeight: 0n, hitWeight: 0n, sum: 0n, sumOfSquares: 0n, sumOfCubes: 0n, max: 0n };
  for (const [hundredths, weight] of table) {
    const payout = BigInt(hundredths);
    moments.totalWeight += weight;
    if (payout > 0n) moments.hitWeight += weight;
    moments.sum += weight * payout;
    moments.sumOfSquares += weight * payout ** 2n;
    moments.sumOfCubes += weight * payout ** 3n;
    if (payout > moments.max) moments.max = payout;
  }
  return moments;
}

const RANGE = 2 ** 32;

/**
 * Draws payouts in hundredths by the alias method, in an eighth of the time of the server's draw.
 * Probabilities are right to 2⁻³², which is less than any sample shows.
 */
export function payoutDraw(table: Table, stream: number): () => number {
  const payouts = [...table.keys()];
  const total = Number([...table.values()].reduce((sum, weight) => sum + weight, 0n));
  const shares = [...table.values()].map((weight) => (Number(weight) / total) * payouts.length);
  const kept = new Float64Array(payouts.length).fill(RANGE);
  const others = Uint32Array.from(payouts.keys());
  const light = [...shares.keys()].filter((place) => (shares[place] as number) < 1);
  const heavy = [...shares.keys()].filter((place) => (shares[place] as number) >= 1);
  while (light.length > 0 && heavy.length > 0) {
    const [low, high] = [light.pop() as number, heavy.at(-1) as number];
    kept[low] = (shares[low] as number) * RANGE;
    others[low] = high;
    shares[high] = (shares[high] as number) - 1 + (shares[low] as number);
    if ((shares[high] as number) < 1) light.push(heavy.pop() as number);
  }
  const { below } = seededRandom({ stream, round: 0 });
  return () => {
    const place = below(payouts.length);
    return payouts[below(RANGE) < (kept[place] as number) ? place : (others[place] as number)] as number;
  };
}

const MICROS = 1_000_000;

/** Plays rounds with bets of 1 and, each tenth, of `largest` units, in a mode of this cost. */
export function playedRounds(
  draw: () => number,
  { rounds, cost = '1', largest = 5 }: { rounds: number; cost?: string; largest?: number },
): RoundSums {
  let hundredths = 0;
  for (let round = 0; round < rounds; round += 1) hundredths += (round % 10 === 0 ? largest : 1) * draw();
  const [debit, large] = [BigInt(Number(cost) * MICROS), BigInt(Math.ceil(rounds / 10))];
  const [small, size] = [BigInt(rounds) - large, BigInt(largest)];
  return {
    rounds: BigInt(rounds),
    bets: debit * (small + size * large),
    payouts: (BigInt(hundredths) * BigInt(MICROS)) / 100n,
    betSquares: debit ** 2n * (small + size ** 2n * large),
    maxBet: debit * size,
  };
}

/** Counts the samples outside the interval of 99.9 %, and of the normal one. */
export function samplesOutside(
  table: Table,
  theory: Theory,
  { samples, rounds }: { samples: number; rounds: number },
): { bound: number; normal: number } {
  const draw = payoutDraw(table, rounds);
  const outside = { bound: 0, normal: 0 };
  for (let sample = 0; sample < samples; sample += 1) {
    const sums = playedRounds(draw, { rounds, cost: theory.cost });
    const { low, high } = rtpInterval(sums, theory, 0.999);
    const rtp = Number(sums.payouts) / Number(sums.bets);
    if (rtp < low || rtp > high) outside.bound += 1;
    if (Math.abs(zScore(sums, theory) as number) > NORMAL) outside.normal += 1;
  }
  return outside;
}
