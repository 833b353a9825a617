/** `payoutMultiplier` is in hundredths of the base bet. */
export type Weighed = { readonly payoutMultiplier: number; readonly weight: bigint };

/** `numerator / denominator` is k. */
export type TuningFactor = { readonly numerator: bigint; readonly denominator: bigint };

/**
 * Returns weights with a mean payout of exactly `target` (hundredths of the base bet).
 *
 * First the books that pay the target or more are scaled by one factor k, rounded to whole weights.
 * What the rounding leaves is then settled on two books, one that pays more and one that pays less.
 * Throws RangeError where no weights can reach the target.
 */
export function tuned<Book extends Weighed>(books: readonly Book[], target: bigint): Book[] {
  const { numerator, denominator } = tuningFactor(books, target);
  const scaled = books.map((book) => {
    if (distanceOf(book, target) < 0n) return book;
    return { ...book, weight: (book.weight * numerator + denominator / 2n) / denominator };
  });
  return settled(scaled, target);
}

/**
 * k comes from (k·A + a) / (k·W + w) = target. W and A are the sums of weight and of weight ×
 * payout of the books that pay the target or more, w and a those of the others: k = (target·w − a)
 * / (A − target·W).
 */
export function tuningFactor(books: readonly Weighed[], target: bigint): TuningFactor {
  let numerator = 0n;
  let denominator = 0n;
  for (const book of books) {
    const distance = distanceOf(book, target);
    if (distance < 0n) numerator -= book.weight * distance;
    else denominator += book.weight * distance;
  }
  if (numerator <= 0n || denominator <= 0n) {
    throw new RangeError('no weights give this mean payout: all books pay less, or all more');
  }
  return { numerator, denominator };
}

/** Adds the least to the weights of two books that makes the surplus over the target zero. */
function settled<Book extends Weighed>(books: readonly Book[], target: bigint): Book[] {
  const surplus = books.reduce((sum, book) => sum + book.weight * distanceOf(book, target), 0n);
  if (surplus === 0n) return [...books];
  const [above, below] = settlingPair(books, target);
  const gain = distanceOf(above, target);
  const loss = -distanceOf(below, target);
  let more = surplus < 0n ? (-surplus + gain - 1n) / gain : 0n;
  while ((surplus + more * gain) % loss !== 0n) more += 1n;
  const less = (surplus + more * gain) / loss;
  return books.map((book) => {
    if (book === above) return { ...book, weight: book.weight + more };
    return book === below ? { ...book, weight: book.weight + less } : book;
  });
}

/** Returns the heaviest books that can settle every surplus: the correction changes them least. */
function settlingPair<Book extends Weighed>(books: readonly Book[], target: bigint): [above: Book, below: Book] {
  const byWeight = [...books].sort((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : 0));
  const above = byWeight.filter((book) => distanceOf(book, target) > 0n);
  const below = byWeight.filter((book) => distanceOf(book, target) < 0n);
  const step = books.reduce((shared, book) => greatestCommonDivisor(shared, distanceOf(book, target)), 0n);
  for (const more of above) {
    const less = below.find(
      (book) => greatestCommonDivisor(distanceOf(more, target), distanceOf(book, target)) === step,
    );
    if (less !== undefined) return [more, less];
  }
  throw new RangeError('no two books settle what rounding the weights leaves');
}

function distanceOf(book: Weighed, target: bigint): bigint {
  return BigInt(book.payoutMultiplier) - target;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  if (b !== 0n) return greatestCommonDivisor(b, a % b);
  return a < 0n ? -a : a;
}
