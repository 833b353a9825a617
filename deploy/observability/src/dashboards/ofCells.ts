const SELECTOR = /\b((?:roundhouse|process|nodejs)[_:][\w:]+|up|ALERTS)\b(?:\{([^}]*)\})?/g;

/**
 * Returns a query of the chosen cells only: each of its selectors asks for the label `cell`.
 * Without a fleet no series has it, and the choice "All" finds those as well.
 */
export function ofCells(expr: string): string {
  return expr.replace(SELECTOR, (_, metric: string, matchers = '') =>
    [`${metric}{`, matchers === '' ? '' : `${matchers},`, 'cell=~"$cell"}'].join(''),
  );
}
