import type { GameReturns } from '@roundhouse/contract/admin';
import type { ChartSeries } from '../../lib/chart.ts';
import { dayText } from '../../lib/time.ts';

/** What each point sums: one day, or all days since the first one. */
export type Sums = 'cumulative' | 'day';

const DAY_MS = 86_400_000;
/** Higher multiples of the table's RTP are cut: they would make the rest a flat line. */
const MOST = 2;

type Drawing = { x: number[]; series: ChartSeries[]; isCut: boolean };

/** Returns a point for each day. The sum since the first day stays on days without rounds. */
export function drawingOf({ from, to, days, tableRtp }: GameReturns, sums: Sums): Drawing {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const x: number[] = [];
  const points: ((typeof days)[number]['cumulative'] | undefined)[] = [];
  let soFar: (typeof points)[number];
  for (let atMs = Date.parse(from); atMs <= Date.parse(to); atMs += DAY_MS) {
    const day = byDay.get(dayText(atMs));
    soFar = day?.cumulative ?? soFar;
    x.push(atMs / 1_000);
    points.push(sums === 'day' ? day : soFar);
  }
  const returned = points.map((point) => point?.rtp ?? null);
  const most = Math.max(MOST * (tableRtp ?? 1), ...returned.map((rtp) => rtp ?? 0));
  const high = points.map((point) => point?.high ?? null);
  const series: ChartSeries[] = [
    {
      label: 'Interval, low',
      values: points.map((point) => point?.low ?? null),
      kind: 'band',
      color: '--mantine-color-gray-6',
    },
    {
      label: 'Interval, high',
      values: high.map((each) => each && Math.min(each, most)),
      kind: 'band',
      color: '--mantine-color-gray-6',
    },
    { label: 'Theoretical RTP', values: x.map(() => tableRtp), kind: 'dashed', color: '--brass' },
    { label: 'RTP', values: returned, color: '--green-6' },
  ];
  return { x, series, isCut: high.some((each) => each !== null && each > most) };
}
