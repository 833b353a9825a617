import { type Decimal, parsePositiveDecimal } from '../decimal.ts';
import type { TunableMode } from '../types.ts';

/**
 * The weights sum to about this. Each weight is also exact as a number, which many readers of
 * tables need.
 */
const TOTAL_WEIGHT = 2 ** 53;
/**
 * The largest number of steps in the search for an exact correction: each adds 1 to one of the
 * weights.
 */
const MAX_STEPS = 100_000n;
/** The number of the heaviest payouts on each side that are tried. */
const MAX_CANDIDATES = 50;
/** The corrections of a pair do not change such a weight. */
const LARGE_WEIGHT = 2n ** 40n;

/**
 * This is the heaviest book with a payout. `distance` is payout − mean, times a scale that makes it
 * whole.
 */
type Heaviest = { position: number; weight: bigint; distance: bigint };

/**
 * Multiplies each weight of a mode with the change of its payout (`changes`, in the order of
 * `distinctPayouts`), in whole numbers. Two books take up what rounding changes of the RTP, or a
 * few where no two can, so that the RTP is exact. Where the payouts lie too far from the mean for
 * that, one book takes up most of it (decision 007).
 */
export function integerWeights(mode: TunableMode, changes: readonly number[], rtp: number): BigUint64Array {
  const changeOf = new Map(mode.distinctPayouts.map((payout, place) => [payout, changes[place] as number]));
  const unit = TOTAL_WEIGHT / Number(mode.totalWeight);
  const { mean, scale } = exactMean(mode.cost, rtp);
  const weights = new BigUint64Array(mode.bookCount);
  const heaviest = new Map<bigint, Heaviest>();
  // It is the sum of weight × distance: 0 when the RTP is exact.
  let surplus = 0n;
  for (const { position, payoutMultiplier, weight } of mode.books()) {
    if (weight === 0n) continue;
    const rounded = BigInt(Math.max(1, Math.round(Number(weight) * (changeOf.get(payoutMultiplier) as number) * unit)));
    const distance = payoutMultiplier * scale - mean;
    weights[position] = rounded;
    surplus += rounded * distance;
    if (rounded > (heaviest.get(payoutMultiplier)?.weight ?? 0n)) {
      heaviest.set(payoutMultiplier, { position, weight: rounded, distance });
    }
  }
  for (const { position, added } of corrections([...heaviest.values()], surplus)) {
    weights[position] = (weights[position] as bigint) + added;
  }
  return weights;
}

function exactMean(costText: string, rtp: number): { mean: bigint; scale: bigint } {
  const cost = parsePositiveDecimal(costText) as Decimal;
  const target = parsePositiveDecimal(String(rtp)) as Decimal;
  return { mean: 100n * cost.numerator * target.numerator, scale: 10n ** BigInt(cost.scale + target.scale) };
}

type Correction = { position: number; added: bigint };
/** A pair has a book above the mean and one below it. */
type Pair = { more: Heaviest; less: Heaviest };

function corrections(books: readonly Heaviest[], surplus: bigint): Correction[] {
  if (surplus === 0n) return [];
  const byWeight = [...books].sort((a, b) => (a.weight < b.weight ? 1 : -1));
  const above = byWeight.filter(({ distance }) => distance > 0n);
  const below = byWeight.filter(({ distance }) => distance < 0n);
  const step = books.reduce((shared, { distance }) => greatestCommonDivisor(shared, distance), 0n);
  const pairs = above
    .slice(0, MAX_CANDIDATES)
    .flatMap((more) => below.slice(0, MAX_CANDIDATES).map((less) => ({ more, less })))
    .filter(({ less }) => -less.distance / step <= MAX_STEPS);
  const isEnough = ({ more, less }: Pair): boolean =>
    more.weight >= LARGE_WEIGHT &&
    less.weight >= LARGE_WEIGHT &&
    greatestCommonDivisor(more.distance, less.distance) === step;
  const pair = pairs.find(isEnough) ?? pairs[0];
  if (pair !== undefined) return exactCorrections(pair, byWeight, surplus);
  const [taker] = below;
  const added = taker === undefined ? 0n : -surplus / taker.distance;
  return taker !== undefined && taker.weight + added > 0n ? [{ position: taker.position, added }] : [];
}

/**
 * Finds what makes the surplus zero: additions to the two weights and, where their distances share
 * a divisor that the surplus may not have, to the heaviest others that do not.
 */
function exactCorrections({ more, less }: Pair, byWeight: readonly Heaviest[], surplus: bigint): Correction[] {
  const gain = more.distance;
  const loss = -less.distance;
  const helpers: { book: Heaviest; divisor: bigint }[] = [];
  let divisor = greatestCommonDivisor(gain, loss);
  for (const book of byWeight) {
    const shared = greatestCommonDivisor(divisor, book.distance);
    if (shared !== divisor) helpers.push({ book, divisor });
    divisor = shared;
  }
  let left = surplus;
  const helped = helpers.reverse().map(({ book, divisor: wanted }) => {
    let added = 0n;
    for (; left % wanted !== 0n; left += book.distance) added += 1n;
    return { position: book.position, added };
  });
  let added = left < 0n ? (-left + gain - 1n) / gain : 0n;
  while ((left + added * gain) % loss !== 0n) added += 1n;
  return [
    ...helped,
    { position: more.position, added },
    { position: less.position, added: (left + added * gain) / loss },
  ];
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  if (b !== 0n) return greatestCommonDivisor(b, a % b);
  return a < 0n ? -a : a;
}
