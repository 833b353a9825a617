/** In a bin with a smaller expected count the statistic does not follow its distribution. */
const LEAST_EXPECTED = 5;
const SMALLEST = 1e-300;
const PRECISION = 1e-15;

export type ChiSquareTest = { statistic: number; degrees: number /** Probability of a larger statistic. */; p: number };

/**
 * Does Pearson's test of counts against expected counts of the same sum. It joins a bin that
 * expects fewer than 5 with the next ones. p is 1 when one bin is left.
 */
export function chiSquareTest(observed: ArrayLike<number>, expected: ArrayLike<number>): ChiSquareTest {
  let statistic = 0;
  let degrees = -1;
  let [count, expectation] = [0, 0];
  let [keptCount, keptExpectation] = [0, 0];
  const keep = () => {
    if (keptExpectation > 0) statistic += (keptCount - keptExpectation) ** 2 / keptExpectation;
    if (keptExpectation > 0) degrees += 1;
  };
  for (let bin = 0; bin < observed.length; bin += 1) {
    count += observed[bin] as number;
    expectation += expected[bin] as number;
    if (expectation < LEAST_EXPECTED) continue;
    // A bin ends only when the next one is full, because what is left at the end joins the last
    // full one.
    keep();
    [keptCount, keptExpectation] = [count, expectation];
    [count, expectation] = [0, 0];
  }
  keptCount += count;
  keptExpectation += expectation;
  keep();
  return { statistic, degrees, p: degrees < 1 ? 1 : chiSquareTail(statistic, degrees) };
}

/**
 * Returns the probability that a chi-square variable with `degrees` degrees of freedom is above x.
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (!(x > 0)) return 1;
  const [half, shape] = [x / 2, degrees / 2];
  // Each of the two is accurate, and converges, on its side of the mean.
  return half < shape + 1 ? 1 - lowerSeries(shape, half) : upperFraction(shape, half);
}

/** It is x^shape·e^−x / Γ(shape). */
function scale(shape: number, x: number): number {
  return Math.exp(shape * Math.log(x) - x - logGamma(shape));
}

/** Computes the regularized lower incomplete gamma function (DLMF 8.11.4). */
function lowerSeries(shape: number, x: number): number {
  let term = 1 / shape;
  let sum = term;
  for (let index = 1; term > sum * PRECISION; index += 1) {
    term *= x / (shape + index);
    sum += term;
  }
  return sum * scale(shape, x);
}

/** Computes the upper one as a continued fraction (DLMF 8.9.2), by Lentz's method. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape;
  let c = 1 / SMALLEST;
  let d = 1 / b;
  let value = d;
  for (let index = 1; ; index += 1) {
    const a = index * (shape - index);
    b += 2;
    d = 1 / nonZero(a * d + b);
    c = nonZero(b + a / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) return value * scale(shape, x);
  }
}

function nonZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];
const LARGE = 15;

/**
 * Computes ln Γ(x) for x > 0 by Stirling's series (DLMF 5.11.1), which is exact enough above 15.
 */
function logGamma(x: number): number {
  let shift = 0;
  let large = x;
  for (; large < LARGE; large += 1) shift += Math.log(large);
  const series = STIRLING.reduce((sum, factor, index) => sum + factor / large ** (2 * index + 1), 0);
  return (large - 0.5) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + series - shift;
}
