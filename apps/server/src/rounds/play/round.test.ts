import { describe, expect, it } from 'vitest';
import type { Database } from '../../store/database/database.ts';
import type { Catalogue } from '../games/catalogue.ts';
import { readRound } from './round.ts';

describe('a stored round that cannot be shown', () => {
  const ids = { id: 7n, code: 'fixture', version: '1.0.0', mode: 'BASE', book_id: 3n };
  const row = { ...ids, amount_micros: 1n, payout_micros: 1n };

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
