import { MICROS_PER_UNIT } from '@roundhouse/contract';
import type { RevenueRow } from '@roundhouse/contract/admin';
import { Chart } from '../../components/Chart.tsx';
import { amountText } from '../../lib/money.ts';

const MS_PER_SECOND = 1000;

/** Draws the GGR of each day in one currency: the one with the most rounds. */
export function RevenueChart({ rows }: { rows: readonly RevenueRow[] }) {
  const currency = largestCurrency(rows);
  if (currency === undefined) return null;
  const days = new Map<string, bigint>();
  for (const { day, ggr, ...row } of rows) {
    if (day === null || row.currency !== currency) continue;
    days.set(day, (days.get(day) ?? 0n) + BigInt(ggr));
  }
  const points = [...days].sort(([one], [other]) => one.localeCompare(other));
  if (points.length < 2) return null;
  return (
    <Chart
      label={`GGR by day in ${currency}`}
      xLabel="Day"
      x={points.map(([day]) => Date.parse(day) / MS_PER_SECOND)}
      series={[{ label: `GGR in ${currency}`, kind: 'bars', values: points.map(([, ggr]) => Number(ggr)) }]}
      unit={currency}
      unitSize={MICROS_PER_UNIT}
      format={(micros) => amountText(String(Math.round(micros)), currency)}
    />
  );
}

function largestCurrency(rows: readonly RevenueRow[]): string | undefined {
  const rounds = new Map<string, number>();
  for (const row of rows) rounds.set(row.currency, (rounds.get(row.currency) ?? 0) + row.rounds);
  return [...rounds].sort(([, one], [, other]) => other - one)[0]?.[0];
}
