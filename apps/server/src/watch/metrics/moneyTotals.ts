import { MS_PER_DAY } from '../../base/durations.ts';
import type { findDays, MoneySums, MoneyTotals, sumDays } from '../../store/watch/moneyTotals.ts';

/** The number of past days that one statement sums, so that none runs for long. */
const DAYS_OF_A_STATEMENT = 31;
/** Time in milliseconds for which one reading sums the past; the next reading goes on. */
const PAST_MS = 1_000;

/** The queries of store/watch/moneyTotals.ts. */
export type MoneyQueries = {
  findDays(): ReturnType<typeof findDays>;
  sumDays(days: Parameters<typeof sumDays>[1]): ReturnType<typeof sumDays>;
};

type Totals = ReadonlyMap<string, MoneyTotals>;

/**
 * Returns a reader of the totals of all time. Days before yesterday change no more, so their sums
 * are kept: a reading reads the newest two days, and the day that has become old. A recount of the
 * totals is seen in these days only, until the process starts again.
 */
export function createMoneyTotals({ findDays, sumDays }: MoneyQueries) {
  let past: Totals = new Map();
  /** The past has the days before it. */
  let pastEnd: string | undefined;
  let highest: Totals = new Map();

  return {
    /**
     * Returns undefined while the past is still being summed. No total is below that of a reading
     * before.
     */
    async read(): Promise<MoneyTotals[] | undefined> {
      const { first, yesterday } = await findDays();
      const startedMs = performance.now();
      for (pastEnd ??= first; pastEnd < yesterday; ) {
        if (performance.now() - startedMs > PAST_MS) return undefined;
        const before = earlier(yesterday, daysAfter(pastEnd, DAYS_OF_A_STATEMENT));
        past = merge(past, await sumDays({ from: pastEnd, before }), add);
        pastEnd = before;
      }
      const now = merge(past, await sumDays({ from: pastEnd }), add);
      // After a failover without a synchronous standby, or a recount, a total can be lower.
      // Prometheus would take it for a new counter, and all of it for what was played since.
      highest = merge(highest, [...now.values()], greater);
      return [...highest.values()];
    },
  };
}

function merge(totals: Totals, more: readonly MoneyTotals[], combine: (a: bigint, b: bigint) => bigint): Totals {
  const merged = new Map(totals);
  for (const row of more) {
    const key = JSON.stringify([row.operator, row.game, row.currency]);
    const { operator, game, currency, ...sums } = row;
    const known = merged.get(key);
    const combined = Object.entries(sums).map(([name, sum]) => [
      name,
      combine(known?.[name as keyof MoneySums] ?? 0n, sum),
    ]);
    merged.set(key, { operator, game, currency, ...(Object.fromEntries(combined) as MoneySums) });
  }
  return merged;
}

const add = (a: bigint, b: bigint) => a + b;

function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** Days of this form compare as texts. */
const earlier = (a: string, b: string) => (a < b ? a : b);

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

const MICROS = 1_000_000n;
const MICRO_DIGITS = 6;

/**
 * Returns the double that is next to the amount, which is not below 0. It never falls when the
 * amount grows.
 */
export function unitsOf(micros: bigint): number {
  return Number(`${micros / MICROS}.${String(micros % MICROS).padStart(MICRO_DIGITS, '0')}`);
}
