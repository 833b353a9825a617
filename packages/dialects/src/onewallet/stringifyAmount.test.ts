import { expect, it } from 'vitest';
import { stringifyAmount } from './stringifyAmount.ts';

it('only the member amount is written as a number', () => {
  const body = { userId: '"amount":"1"', transaction: { id: '5', amount: '1.50' } };
  expect(stringifyAmount(body)).toBe(String.raw`{"userId":"\"amount\":\"1\"","transaction":{"id":"5","amount":1.50}}`);
});
