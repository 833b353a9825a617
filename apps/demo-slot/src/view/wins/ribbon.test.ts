import { expect, it } from 'vitest';
import { createRibbonBuffers, fillRibbon, RIBBON_SAMPLES } from './ribbon.ts';

function middles(positions: Float32Array): { x: number; y: number }[] {
  return Array.from({ length: RIBBON_SAMPLES }, (_, sample) => ({
    x: ((positions[sample * 4] ?? 0) + (positions[sample * 4 + 2] ?? 0)) / 2,
    y: ((positions[sample * 4 + 1] ?? 0) + (positions[sample * 4 + 3] ?? 0)) / 2,
  }));
}

it('runs from the first point to the last, as wide as asked', () => {
  const buffers = createRibbonBuffers();
  const length = fillRibbon(buffers, { xs: [0, 100, 300], ys: [50, 50, 50], halfWidth: 10 });
  const way = middles(buffers.positions);
  expect(way[0]).toEqual({ x: 0, y: 50 });
  expect(way.at(-1)).toEqual({ x: 300, y: 50 });
  expect(length).toBeCloseTo(300, 3);
  for (let sample = 0; sample < RIBBON_SAMPLES; sample++) {
    expect(Math.abs((buffers.positions[sample * 4 + 1] ?? 0) - 50)).toBeCloseTo(10, 3);
  }
});

it('rounds its corners but passes close to every point', () => {
  const buffers = createRibbonBuffers();
  const xs = [0, 100, 200, 300, 400];
  const ys = [0, 100, 0, 100, 0];
  fillRibbon(buffers, { xs, ys, halfWidth: 8 });
  const way = middles(buffers.positions);
  xs.forEach((x, point) => {
    const nearest = Math.min(...way.map((at) => Math.hypot(at.x - x, at.y - (ys[point] ?? 0))));
    expect(nearest).toBeLessThan(20);
  });
  // No turn is sharp: the direction changes by less than 45 degrees between two samples.
  for (let sample = 2; sample < RIBBON_SAMPLES; sample++) {
    const [a, b, c] = [way[sample - 2], way[sample - 1], way[sample]];
    if (a === undefined || b === undefined || c === undefined) throw new Error('a sample is missing');
    const turn = Math.atan2(c.y - b.y, c.x - b.x) - Math.atan2(b.y - a.y, b.x - a.x);
    expect(Math.abs(turn)).toBeLessThan(Math.PI / 4);
  }
});

it('fills the same buffers again, without leftovers', () => {
  const buffers = createRibbonBuffers();
  fillRibbon(buffers, { xs: [0, 500], ys: [9, 9], halfWidth: 3 });
  const { positions } = buffers;
  fillRibbon(buffers, { xs: [-10, 10], ys: [0, 0], halfWidth: 3 });
  expect(buffers.positions).toBe(positions);
  expect(Math.max(...positions)).toBeLessThanOrEqual(10);
});
