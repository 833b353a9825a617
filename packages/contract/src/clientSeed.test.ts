import { expect, it } from 'vitest';
import { isClientSeed } from './clientSeed.ts';

it.each(['a', ' ', 'é:ß', 'x'.repeat(64), '🍀'.repeat(64)])('%j is a client seed', (text) => {
  expect(isClientSeed(text)).toBe(true);
});

it.each(['', 'x'.repeat(65), '🍀'.repeat(65), 'a\tb', '\u0000', '\u0085', '\ud83c'])('%j is none', (text) => {
  expect(isClientSeed(text)).toBe(false);
});
