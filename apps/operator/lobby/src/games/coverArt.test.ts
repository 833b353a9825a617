import { expect, it } from 'vitest';
import { coverArt } from './coverArt.ts';

it('draws the same picture for the same game', () => {
  expect(coverArt('aurora-line')).toEqual(coverArt('aurora-line'));
});

it('draws pictures that differ, also for ids that differ in one letter', () => {
  const pictures = Array.from({ length: 20 }, (_, index) => JSON.stringify(coverArt(`sample-${index}`)));
  expect(new Set(pictures).size).toBe(20);
  const skies = Array.from({ length: 20 }, (_, index) => coverArt(`sample-${index}`).forms.length);
  expect(new Set(skies).size).toBeGreaterThan(2);
});

it('draws within what SVG can read', () => {
  for (const gameID of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'ünïcode', '']) {
    for (const { d } of coverArt(gameID).forms) expect(d).not.toMatch(/NaN|undefined|Infinity/);
  }
});
