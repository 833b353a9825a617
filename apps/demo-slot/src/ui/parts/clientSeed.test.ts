import { expect, it } from 'vitest';
import { isClientSeed, MAX_SEED_CHARACTERS, randomClientSeed } from './clientSeed.ts';

it.each(['a', ' ', 'é:ß', 'x'.repeat(64), '🍀'.repeat(64)])('takes %j', (text) => {
  expect(isClientSeed(text)).toBe(true);
});

it.each(['', 'x'.repeat(65), '🍀'.repeat(65), 'a\tb', '\u0085', '\ud83c'])('does not take %j', (text) => {
  expect(isClientSeed(text)).toBe(false);
});

it('a random one is valid, and another one each time', () => {
  const seeds = Array.from({ length: 100 }, randomClientSeed);
  expect(seeds.every(isClientSeed)).toBe(true);
  expect(seeds.every(({ length }) => length < MAX_SEED_CHARACTERS)).toBe(true);
  expect(new Set(seeds).size).toBe(100);
});
