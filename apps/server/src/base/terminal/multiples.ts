/**
 * Returns a multiple of the base bet, such as "12.5×". In a mode with a cost it adds its name and
 * the multiple of what the bet costs: readers easily mistake one for the other.
 */
export function ofBet(multiple: string, cost: string): string {
  if (costsBaseBet(cost)) return `${multiple}×`;
  return `${multiple}× of the bet, ${Number((Number(multiple) / Number(cost)).toPrecision(6))}× of the cost`;
}

/** Returns a multiple of what the bet costs. */
export function ofCost(multiple: string, cost: string): string {
  return costsBaseBet(cost) ? multiple : `${multiple}× of the cost`;
}

/** When it does, the two multiples are one, and need no names. */
export function costsBaseBet(cost: string): boolean {
  return Number(cost) === 1;
}
