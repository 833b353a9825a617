import { type Cell, type CursorParts, idOf, writeFleetCursor } from '@roundhouse/fleet';

export type Row = Readonly<Record<string, unknown>>;

export type CellPage = {
  cell: Cell;
  rows: readonly Row[];
  /** A cursor points after its row. */
  cursors: readonly string[];
  /** It is null on the last page. */
  next: string | null;
};

export type PageRule = {
  /** The name of the rows in the body. */
  rows: 'rounds' | 'grants';
  idOf(row: Row): unknown;
  /**
   * newestFirst: by this time of a row. byTurns: the rows of several cells have no common order,
   * and the list has no end: it gets the request again with its last cursor.
   */
  order: { kind: 'newestFirst'; at: string } | { kind: 'byTurns' };
};

type Merging = { rule: PageRule; limit: number; sent: CursorParts };

/**
 * Merges one page of each cell into one page of at most `limit` rows. The rows of a cell keep their
 * order, and its part of the cursor is behind its last row that was used: no row is left out and
 * none comes again. When a player moves between two pages, a row can be in both cells: on one page
 * it is shown once.
 */
export function mergePages(pages: readonly CellPage[], { rule, limit, sent }: Merging) {
  const taken = new Map(pages.map((page) => [page, 0]));
  const shown = new Map<unknown, Row>();
  const choose = rule.order.kind === 'byTurns' ? nextByTurns : nextNewest(rule.order.at);
  while (shown.size < limit) {
    const page = choose(pages, taken);
    if (page === undefined) break;
    const at = taken.get(page) as number;
    const row = page.rows[at] as Row;
    const id = rule.idOf(row);
    if (!shown.has(id)) shown.set(id, row);
    taken.set(page, at + 1);
  }
  const parts = new Map(sent);
  for (const page of pages) {
    const part = cursorAfter(page, taken.get(page) as number);
    if (part !== undefined) parts.set(idOf(page.cell), part);
  }
  const isOver = pages.every((page) => page.next === null && taken.get(page) === page.rows.length);
  const hasNext = rule.order.kind === 'byTurns' ? parts.size > 0 : !isOver;
  return { [rule.rows]: [...shown.values()], cursor: hasNext ? writeFleetCursor(parts) : null };
}

/**
 * Undefined: nothing was taken, so the cursor that was sent stays. The last page of a cell keeps
 * the cursor of its last row: what moves into the cell later has lower ids, and is still to come.
 */
function cursorAfter({ rows, cursors, next }: CellPage, taken: number): string | undefined {
  if (taken === rows.length && next !== null) return next;
  return cursors[taken - 1];
}

type Taken = ReadonlyMap<CellPage, number>;

const isUsedUp = (page: CellPage, taken: Taken) => taken.get(page) === page.rows.length;

/**
 * Returns the page whose next row is the newest. When the page of a cell is used up and is not its
 * last, its next row is unknown: the merged page ends before it.
 */
const nextNewest = (at: string) => (pages: readonly CellPage[], taken: Taken) => {
  if (pages.some((page) => isUsedUp(page, taken) && page.next !== null)) return undefined;
  const timeOf = (page: CellPage) => Date.parse(String(page.rows[taken.get(page) as number]?.[at]));
  const left = pages.filter((page) => !isUsedUp(page, taken));
  return left.reduce<CellPage | undefined>(
    (best, page) => (best !== undefined && timeOf(best) >= timeOf(page) ? best : page),
    undefined,
  );
};

/** Returns the page of which the fewest rows are taken: no cell keeps another one waiting. */
function nextByTurns(pages: readonly CellPage[], taken: Taken): CellPage | undefined {
  const left = pages.filter((page) => !isUsedUp(page, taken));
  return left.reduce<CellPage | undefined>(
    (best, page) => (best !== undefined && (taken.get(best) ?? 0) <= (taken.get(page) ?? 0) ? best : page),
    undefined,
  );
}
