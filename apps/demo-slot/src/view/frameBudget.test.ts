import { expect, it } from 'vitest';
import { FrameBudget } from './frameBudget.ts';

function firstExceeded(budget: FrameBudget, frameMs: number, frames: number): number {
  for (let frame = 0; frame < frames; frame++) if (budget.exceeded(frameMs)) return frame;
  return -1;
}

it('leaves a machine alone that keeps up', () => {
  expect(firstExceeded(new FrameBudget(), 1000 / 60, 5000)).toBe(-1);
});

it('forgives slow first frames', () => {
  const budget = new FrameBudget();
  for (let frame = 0; frame < 4; frame++) expect(budget.exceeded(190)).toBe(false);
  expect(firstExceeded(budget, 12, 3000)).toBe(-1);
});

it('recognises a slow machine within three seconds, and says so once', () => {
  const budget = new FrameBudget();
  const frame = firstExceeded(budget, 60, 1000);
  expect(frame).toBeGreaterThan(0);
  expect(frame * 60).toBeLessThan(3000);
  expect(firstExceeded(budget, 200, 1000)).toBe(-1);
});
