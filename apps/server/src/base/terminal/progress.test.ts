import { expect, it } from 'vitest';
import { progressLine } from './progress.ts';

it.each([
  [{ done: 0, total: 4 }, 'BASE: half of it'],
  [{ done: 1, total: 4 }, 'BASE: half of it, 15 s left'],
  [{ done: 4, total: 4 }, 'BASE: half of it'],
])('says how far a step is and how long it takes still: %o after 5 s', (progress, line) => {
  expect(progressLine({ name: 'BASE', says: 'half of it', ...progress }, 5000)).toBe(line);
});
