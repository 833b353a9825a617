/**
 * Holds a p-value of a test, and how to do the test once more on fresh output; the results of the
 * second run have the same names.
 */
export type Result = { name: string; p: number; again?(): Promise<Result[]> };

export type Judged = { name: string; p: number; second?: number; verdict: 'passed' | 'passed again' | 'FAILED' };

/** 25 CFR 547.14 asks for tests at 99 % confidence. */
const LEVEL = 0.01;

/** Looks at both ends: a fit that is too good is as suspect as a bad one. */
export function isSuspect(p: number): boolean {
  return 2 * Math.min(p, 1 - p) < LEVEL;
}

/**
 * A test fails when two runs on different output both fall outside of 99 %. A sound generator does
 * so once in 10,000 tests; with one run alone, it would fail in every hundredth test.
 */
export async function judge(results: readonly Result[]): Promise<Judged[]> {
  const second = new Map<unknown, Promise<Result[]>>();
  return Promise.all(
    results.map(async ({ name, p, again }): Promise<Judged> => {
      if (!isSuspect(p)) return { name, p, verdict: 'passed' };
      if (again === undefined) return { name, p, verdict: 'FAILED' };
      if (!second.has(again)) second.set(again, again());
      const repeated = (await second.get(again))?.find((result) => result.name === name)?.p ?? 0;
      return { name, p, second: repeated, verdict: isSuspect(repeated) ? 'FAILED' : 'passed again' };
    }),
  );
}

/** Returns the probability that a sound generator has at least this number of suspects. */
export function chanceOfSuspects(suspects: number, tests: number): number {
  let mass = (1 - LEVEL) ** tests;
  let below = 0;
  for (let count = 0; count < suspects; count += 1) {
    below += mass;
    mass *= ((tests - count) / (count + 1)) * (LEVEL / (1 - LEVEL));
  }
  return 1 - below;
}
