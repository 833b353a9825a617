import { toMicros } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import { readRound, roundJson } from './round.ts';

it('a round has the events of its book byte for byte, where another JSON writer would change them', () => {
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

describe('a stored round that cannot be shown', () => {
  const row = { code: 'fixture', version: '1.0.0', mode: 'BASE', amount_micros: 1n, payout_micros: 1n, book_id: 3n };

  it.each([
    { why: 'no row', rows: [], math: undefined, message: 'round 7 is not there' },
    { why: 'no math', rows: [row], math: undefined, message: 'round 7 is on book 3 of fixture/1.0.0 BASE, which this' },
    { why: 'no book', rows: [row], math: { find: () => undefined }, message: 'which this node does not have' },
  ])('throws: $why', async ({ rows, math, message }) => {
    const db = { $queryRaw: async () => rows } as unknown as Database;
    const catalogue = { math: () => math } as unknown as Catalogue;
    await expect(readRound({ db, catalogue }, 7n)).rejects.toThrow(message);
  });
});
