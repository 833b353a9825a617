export type Weighed = {
  payoutMultiplier: number;
  weight: bigint;
};

/** A fraction, so that the target is exact. */
export type ReturnTarget = {
  /** Cost of the mode times the return to player, in hundredths of the base bet. */
  meanPayoutHundredths: bigint;
};

/**
 * Weights with which the mean payout is the target to the last digit, no rounding anywhere.
 *
 * The books that pay less than the target keep their weights, those that pay the target or more are
 * scaled by one factor k. From (k·A + a) / (k·W + w) = target, with W and A the sum of weights and
 * of weight × payout of the books that pay more, and w and a those of the books that pay less:
 * k = (target·w − a) / (A − target·W). Both sides of the fraction become the weights' multipliers.
 */
export function tuned<Book extends Weighed>(books: readonly Book[], { meanPayoutHundredths }: ReturnTarget): Book[] {
  const { less, more } = tuningFactors(books, meanPayoutHundredths);
  if (less <= 0n || more <= 0n)
    throw new RangeError('no weights give this mean payout: all books pay less, or all more');
  return books.map((book) => ({ ...book, weight: book.weight * (paysLess(book, meanPayoutHundredths) ? less : more) }));
}

/** `more / less` is k, in lowest terms. */
export function tuningFactors(books: readonly Weighed[], target: bigint): { less: bigint; more: bigint } {
  let less = 0n;
  let more = 0n;
  for (const book of books) {
    const distance = book.weight * (BigInt(book.payoutMultiplier) - target);
    if (paysLess(book, target)) more -= distance;
    else less += distance;
  }
  const shared = greatestCommonDivisor(less, more);
  return shared === 0n ? { less, more } : { less: less / shared, more: more / shared };
}

function paysLess(book: Weighed, target: bigint): boolean {
  return BigInt(book.payoutMultiplier) < target;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
