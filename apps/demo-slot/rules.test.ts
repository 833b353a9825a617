import { describe, expect, it } from 'vitest';
import { LINES, PAYTABLE, REELS, ROWS } from './rules.ts';

const { W: wild, ...others } = PAYTABLE;

describe('the paytable', () => {
  it('pays in steps of a tenth of the bet, and more for each symbol more', () => {
    for (const pays of Object.values(PAYTABLE)) {
      expect(pays.filter((pay) => pay <= 0 || pay % 10 !== 0)).toEqual([]);
      expect(pays).toEqual([...new Set(pays)].sort((a, b) => a - b));
    }
  });

  it('pays most for wilds, so that wilds alone are never worth more as another symbol', () => {
    for (const pays of Object.values(others)) {
      for (const [place, pay] of pays.entries()) expect(pay).toBeLessThan(wild[place] ?? 0);
    }
  });
});

describe('the lines', () => {
  it('are twenty different ones over all reels', () => {
    expect(new Set(LINES.map(String)).size).toBe(20);
    for (const rows of LINES) {
      expect(rows).toHaveLength(REELS);
      expect(rows.filter((row) => !Number.isInteger(row) || row < 0 || row >= ROWS)).toEqual([]);
    }
  });
});
