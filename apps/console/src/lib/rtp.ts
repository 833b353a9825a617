/** Returns a fraction of 1 as percent: `96.51 %`; a dash for null. */
export function percentText(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined) return '–';
  return `${(fraction * 100).toFixed(2)} %`;
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}
