import { expect, it } from 'vitest';
import { drawingOf } from './returnsDrawing.ts';

const sums = (rtp: number, high: number) => ({ rounds: 1, bets: '1', payouts: '1', rtp, low: 0.5, high });
const RETURNS = {
  ...{ from: '2026-11-01', to: '2026-11-04', version: '1', mode: 'BASE', currency: 'USD' },
  ...{ tableRtp: 0.96, roundsForOnePoint: 1 },
  days: [
    { day: '2026-11-02', ...sums(1.2, 300), cumulative: sums(1.2, 300) },
    { day: '2026-11-04', ...sums(0.4, 1.5), cumulative: sums(0.8, 1.4) },
  ],
};
const valuesOf = (drawing: ReturnType<typeof drawingOf>) =>
  Object.fromEntries(drawing.series.map(({ label, values }) => [label, values]));

it('has a point for each day, and keeps the sum on a day without rounds', () => {
  const drawing = drawingOf(RETURNS, 'cumulative');
  expect(drawing.x.map((seconds) => new Date(seconds * 1_000).toISOString().slice(8, 10))).toEqual([
    '01',
    '02',
    '03',
    '04',
  ]);
  expect(valuesOf(drawing)).toMatchObject({ RTP: [null, 1.2, 1.2, 0.8], 'Theoretical RTP': [0.96, 0.96, 0.96, 0.96] });
  expect(valuesOf(drawingOf(RETURNS, 'day')).RTP).toEqual([null, 1.2, null, 0.4]);
});

it('cuts an interval that would flatten the rest, and says so', () => {
  const drawing = drawingOf(RETURNS, 'cumulative');
  expect([valuesOf(drawing)['Interval, high'], drawing.isCut]).toEqual([[null, 1.92, 1.92, 1.4], true]);
  expect(drawingOf({ ...RETURNS, days: RETURNS.days.slice(1) }, 'day').isCut).toBe(false);
});
