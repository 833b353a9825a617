/**
 * A simulated round that becomes a book. It represents `count / of` of the rounds, itself included;
 * `weight` is that as a whole number, 2^20 for each round.
 */
export type SelectedRound = {
  readonly round: number;
  readonly payout: number;
  readonly count: number;
  readonly of: number;
  readonly weight: number;
};

const WEIGHT_PER_ROUND = 2 ** 20;

/** They are hundredths of the base bet. Payouts from one start up to the next are one class. */
const CLASS_STARTS = [
  0, 10, 50, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000, 30_000, 50_000,
  70_000, 100_000, 150_000, 200_000, 300_000, 500_000, 700_000, 1_000_000, 2_000_000, 5_000_000,
];

/**
 * Chooses the simulated rounds that become books: some of a class with many rounds, which then
 * represent all of it, and all of a rare class. So big wins are well represented and exactly as
 * likely as in the sample.
 * @param payouts what each round pays, in hundredths, as `simulate` returns it
 * @param books how many to keep, at most
 */
export function selectRounds(payouts: Uint32Array, books: number): SelectedRound[] {
  const classes = classesOf(payouts);
  const level = fullLevel(classes, books);
  return classes.flatMap((rounds) => spread(rounds, quota(rounds.length, level), payouts)).sort(byRound);
}

/** Returns the sampled rounds by class, each class from its lowest payout up. */
function classesOf(payouts: Uint32Array): number[][] {
  const order = Uint32Array.from(payouts, (_, round) => round).sort(
    (a, b) => (payouts[a] as number) - (payouts[b] as number) || a - b,
  );
  const classes: number[][] = CLASS_STARTS.map(() => []);
  let place = 0;
  for (const round of order) {
    while ((payouts[round] as number) >= (CLASS_STARTS[place + 1] ?? Number.POSITIVE_INFINITY)) place++;
    classes[place]?.push(round);
  }
  return classes;
}

/**
 * The quota grows with the square root of the class: common outcomes get more books than rare ones,
 * but not in proportion.
 */
function quota(rounds: number, level: number): number {
  return rounds === 0 ? 0 : Math.min(rounds, Math.max(1, Math.floor(level * Math.sqrt(rounds))));
}

/** Finds the highest level with which the quotas are not more than `books`. */
function fullLevel(classes: readonly number[][], books: number): number {
  const total = (level: number): number => classes.reduce((sum, { length }) => sum + quota(length, level), 0);
  let low = 0;
  let high = books;
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2;
    if (total(middle) <= books) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Chooses evenly over the ranks of the class, so that what is kept pays on average what the class
 * pays.
 */
function spread(rounds: readonly number[], keep: number, payouts: Uint32Array): SelectedRound[] {
  return Array.from({ length: keep }, (_, place) => {
    const round = rounds[Math.floor(((2 * place + 1) * rounds.length) / (2 * keep))] as number;
    const count = rounds.length;
    const weight = Math.round((WEIGHT_PER_ROUND * count) / keep);
    return { round, payout: payouts[round] as number, count, of: keep, weight };
  });
}

function byRound(a: SelectedRound, b: SelectedRound): number {
  return a.round - b.round;
}
