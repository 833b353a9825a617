export type ChartSeries = {
  label: string;
  /** As many as there are points; null where there is none. */
  values: readonly (number | null)[];
  /** `band` fills the space to the series before it; `bars` draws columns; by default a line. */
  kind?: 'line' | 'bars' | 'band' | 'dashed';
  color?: string;
};

export type ChartProps = {
  /** What the chart shows, for those who cannot see it. */
  label: string;
  /** Places on the axis: seconds since 1970 when `isTime`, else any number. */
  x: readonly number[];
  isTime?: boolean;
  xLabel: string;
  /** Writes a place; by default a day or a number. */
  formatX?: (x: number) => string;
  series: readonly ChartSeries[];
  /** Writes a value, as `12.3 %`. Amounts: make numbers of micros for drawing only. */
  format: (value: number) => string;
  height?: number;
};
