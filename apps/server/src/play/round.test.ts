import { toMicros } from '@roundhouse/contract';
import { expect, test } from 'vitest';
import { roundJson } from './round.ts';

test('the events of a book are sent byte for byte, where JSON.parse and JSON.stringify would change them', () => {
  const published = '[{"x": 1.0, "big":12345678901234567890,\t"e":1e2}]';
  const pieces = roundJson({
    roundID: 7n,
    amount: toMicros(1_000_000),
    payout: toMicros(1_500_000),
    payoutMultiplier: 150n,
    costMultiplier: '1.25',
    active: true,
    mode: 'BASE',
    lastEvent: '漢"',
    events: Buffer.from(published),
  });
  expect(pieces.join('')).toBe(
    '{"betID":7,"amount":1000000,"payout":1500000,"payoutMultiplier":1.5,"costMultiplier":1.25,"active":true,' +
      `"mode":"BASE","event":"漢\\"","state":${published}}`,
  );
});
