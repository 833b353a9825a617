import { expect, it } from 'vitest';
import { intervalText } from './rtp.ts';

it.each([
  ['an interval', { rounds: 40_000, rtp: 0.97, low: 0.7234, high: 1.2 }, '72.34 % to 120.00 %'],
  ['an interval that begins at 0 %', { rounds: '1200', rtp: 0, low: 0, high: 123.5325 }, 'too few rounds (1,200)'],
  ['few rounds that prove a deviation', { rounds: 12, rtp: 200, low: 0, high: 123.5 }, '0.00 % to 12,350.00 %'],
  ['no rounds', { rounds: 0, rtp: null, low: null, high: null }, '–'],
])('says of %s what it means', (_, returned, text) => {
  expect(intervalText(returned)).toBe(text);
});
