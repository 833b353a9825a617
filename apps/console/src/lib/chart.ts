export type ChartSeries = {
  label: string;
  /** One for each point; null for a gap. */
  values: readonly (number | null)[];
  /**
   * `band` fills the space to the series before it; `bars` draws columns; the default is a line.
   */
  kind?: 'line' | 'bars' | 'band' | 'dashed';
  color?: string;
};

export type ChartProps = {
  /** What the chart shows, for screen readers. */
  label: string;
  /** Places on the axis: seconds since 1970 when `isTime`, else any number. */
  x: readonly number[];
  isTime?: boolean;
  xLabel: string;
  /** Formats a place; by default as a day or a number. */
  formatX?: (x: number) => string;
  series: readonly ChartSeries[];
  /** Formats a value, such as `12.3 %`. Turn micros into numbers for drawing only. */
  format: (value: number) => string;
  height?: number;
};
