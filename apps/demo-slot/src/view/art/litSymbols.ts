import type { SymbolCode } from '../../../rules.ts';

/**
 * Symbols of glass, metal and light: they have a light of their own, and a sheen sweeps over them
 * now and then.
 */
const LIT_SYMBOLS = ['W', 'S', 'H1'] as const;

export type LitSymbol = (typeof LIT_SYMBOLS)[number];

export function isLit(code: SymbolCode): code is LitSymbol {
  return (LIT_SYMBOLS as readonly SymbolCode[]).includes(code);
}
