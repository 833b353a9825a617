/**
 * The board is drawn in units of its own and scaled as a whole: the side of a symbol is this long.
 */
export const SYMBOL_UNITS = 200;
