export type GridPosition = {
  /** Where the focus is; counted from 0. */
  readonly from: number;
  readonly count: number;
  readonly columns: number;
  readonly isRightToLeft: boolean;
};

/**
 * Where a key moves the focus to in a grid that is filled row by row; undefined for a key that
 * moves nothing, or over the edge.
 */
export function placeAfterKey(key: string, { from, count, columns, isRightToLeft }: GridPosition): number | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: from + forward,
    ArrowLeft: from - forward,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    Home: 0,
    End: count - 1,
  };
  const to = places[key];
  return to === undefined || to < 0 || to >= count ? undefined : to;
}
