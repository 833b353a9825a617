import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from '../lib/chart.ts';
import { dayText } from '../lib/time.ts';
import classes from './Chart.module.css';

/** The table below has the numbers, so a browser that cannot draw loses only the picture. */
const ChartCanvas = lazy(() => import('./ChartCanvas.tsx').catch(() => ({ default: NoPicture })));

const dayOf = (seconds: number) => dayText(seconds * 1000);

function NoPicture(_: ChartProps) {
  return <></>;
}

/** Draws a chart, with its numbers in a table below. */
export function Chart(props: ChartProps) {
  const { label, x, series, format, formatX = dayOf, xLabel, unit, height = 220 } = props;
  return (
    <figure className={classes.figure} aria-label={label}>
      <div aria-hidden className={classes.unit}>
        {unit}
      </div>
      <div aria-hidden style={{ minHeight: height }}>
        <Suspense fallback={<Skeleton height={height} />}>
          <ChartCanvas {...props} formatX={formatX} />
        </Suspense>
      </div>
      <details className={classes.details}>
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must scroll it. */}
        <section className={classes.scroll} aria-label={`${label}: figures`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{xLabel}</th>
                {series.map((each) => (
                  <th key={each.label} scope="col">
                    {each.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.map((place, index) => (
                <tr key={place}>
                  <th scope="row">{formatX(place)}</th>
                  {series.map((each) => {
                    const value = each.values[index];
                    return <td key={each.label}>{value === null || value === undefined ? '–' : format(value)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
