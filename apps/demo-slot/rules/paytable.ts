import type { SymbolCode } from './symbols.ts';

/** Three, four and five of a kind from the left on a line, in hundredths of the base bet. */
export type LinePays = readonly [three: number, four: number, five: number];

/**
 * A wild stands for every symbol but the scatter, and pays for itself when that is more. The
 * scatter pays in free spins.
 */
export const PAYTABLE: Readonly<Record<Exclude<SymbolCode, 'S'>, LinePays>> = {
  W: [250, 1000, 5000],
  H1: [200, 750, 3000],
  H2: [150, 500, 2000],
  H3: [120, 400, 1500],
  H4: [100, 300, 1000],
  L1: [60, 200, 600],
  L2: [50, 150, 500],
  L3: [50, 150, 500],
  L4: [40, 120, 400],
  L5: [40, 120, 400],
};
