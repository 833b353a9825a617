import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartProps, STEPS, TIME_STEPS, tickSpace } from '../lib/chart.ts';

const GREY = '--mantine-color-gray-6';
const COLORS = ['--green-6', '--brass', '--mantine-color-blue-6', '--mantine-color-red-6', GREY];
const [LABEL_HALF_PX, LABEL_SPACE_PX, LINE_SPACE_PX, DIGIT_PX] = [36, 84, 28, 7];
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 9 });

/** Draws a chart. This file is loaded lazily: a page without charts does not load uPlot. */
export default function ChartCanvas(props: ChartProps & Required<Pick<ChartProps, 'formatX'>>) {
  const { x, xLabel, series, format, formatX, unitSize = 1, height = 220 } = props;
  const { ref, width } = useElementSize();
  const target = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    if (!target.current || width === 0) return;
    // A canvas knows no variables.
    const { color: ink, borderColor: line } = getComputedStyle(target.current);
    const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const grid = { stroke: line, width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif' };
    const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
    // The first and the last bar are as wide as the others.
    const margin = series.some(({ kind }) => kind === 'bars') ? ((x[1] ?? 0) - (x[0] ?? 0)) / 2 : 0;
    const range: uPlot.Scale.Range = (_, min, max) => [min - margin, max + margin];
    const plot = new uPlot(
      {
        width,
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        scales: { x: { ...(margin > 0 && { range }) } },
        cursor: { points: { size: 6 } },
        // This leaves room for the right half of the last time label.
        padding: [null, LABEL_HALF_PX, null, null],
        axes: [
          {
            ...{ ...axis, incrs: TIME_STEPS },
            space: (_, __, ___, ____, length) => tickSpace({ length, least: LABEL_SPACE_PX }),
            values: (_, places) => places.map(formatX),
          },
          {
            ...{ ...axis, incrs: STEPS },
            space: (_, __, ___, ____, length) => tickSpace({ length, least: LINE_SPACE_PX }),
            values: (_, values) => values.map((value) => numbers.format(value / unitSize)),
            size: (_, texts) => 20 + DIGIT_PX * Math.max(2, ...(texts ?? []).map(({ length }) => length)),
          },
        ],
        series: [
          { label: xLabel, value: (_, place: number | null) => (place === null ? '–' : formatX(place)) },
          ...series.map(({ label, values, kind = 'line', color }, index): uPlot.Series => {
            const stroke = colorOf(color ?? COLORS[index % COLORS.length] ?? '');
            return {
              label,
              stroke,
              width: kind === 'band' ? 0 : 1.5,
              // A single value has no line, so it gets a point.
              points: { show: kind !== 'band' && values.filter((value) => value !== null).length === 1, size: 8 },
              value: (_, value: number | null) => (value === null ? '–' : format(value)),
              ...(kind === 'bars' && bars && { paths: bars, fill: `${stroke}99` }),
              ...(kind === 'dashed' && { dash: [6, 4] }),
            };
          }),
        ],
        bands: series.flatMap(({ kind, color }, index) =>
          kind === 'band' && index > 0
            ? [{ series: [index + 1, index] as [number, number], fill: `${colorOf(color ?? GREY)}33` }]
            : [],
        ),
      },
      [[...x], ...series.map(({ values }) => [...values])] as uPlot.AlignedData,
      target.current,
    );
    return () => plot.destroy();
  }, [x, xLabel, series, width, height, scheme, format, formatX, unitSize]);

  return (
    <div ref={ref}>
      <div ref={target} style={{ color: 'var(--soft)', borderColor: 'var(--line)' }} />
    </div>
  );
}
