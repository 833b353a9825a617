import { expect, it } from 'vitest';
import { STEPS, TIME_STEPS, tickSpace } from './chart.ts';

it('an axis has at most six steps of 1, 2 or 5, or of whole minutes, hours and days', () => {
  expect(STEPS.every((step) => /^[125](0*|e[+-]\d+)$/.test(String(step).replace(/^0\.0*/, '')))).toBe(true);
  const [minute, hour, day] = [60, 3600, 86_400];
  for (const step of TIME_STEPS) {
    const unit = [day, hour, minute].find((each) => step >= each) ?? 1;
    expect(step % unit, `${step} s`).toBe(0);
  }
  expect(1000 / tickSpace({ length: 1000, least: 84 })).toBe(6);
  expect(tickSpace({ length: 200, least: 84 })).toBe(84);
});
