import * as fair from '@roundhouse/fair';
import { expect, it } from 'vitest';
import { isClientSeed, MAX_SEED_CHARACTERS, randomClientSeed } from './clientSeed.ts';

it.each([
  '',
  'a',
  ' ',
  'x'.repeat(64),
  'x'.repeat(65),
  '🍀'.repeat(64),
  '🍀'.repeat(65),
  'a\tb',
  '\u0085',
  '\ud83c',
  'é:ß',
])('judges %j as the scheme does', (text) => {
  expect(isClientSeed(text)).toBe(fair.isClientSeed(text));
});

it('a random one is valid, and another one each time', () => {
  expect(MAX_SEED_CHARACTERS).toBe(fair.MAX_CLIENT_SEED_CHARACTERS);
  const seeds = Array.from({ length: 100 }, randomClientSeed);
  expect(seeds.every(isClientSeed)).toBe(true);
  expect(new Set(seeds).size).toBe(100);
});
