import { Checkbox, Skeleton, useMatches } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import type { Paging } from '../lib/usePaging.ts';
import { useRowKeys } from '../lib/useRowKeys.ts';
import classes from './DataTable.module.css';
import { EmptyState } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { Pager } from './Pager.tsx';
import { isPlainClick, PathLink } from './PathLink.tsx';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and amounts are on the right. */
  align?: 'left' | 'right';
  /** Makes the column sortable. Only for a table that has all its rows. */
  sortBy?: (row: Row) => string | number | bigint;
  /** Hides the column on pages that are narrower. */
  hideBelow?: keyof typeof WIDTHS | undefined;
  /** Where the column is hidden, it is a second line in the column of this id. */
  under?: string;
  /** Cuts long text, with a tooltip that is up to the cell. On phones and tablets it wraps. */
  isCut?: boolean;
  /** Stays visible at the right edge when the table scrolls sideways: for buttons. */
  isPinned?: boolean;
};

type Props<Row> = {
  /** What the table lists: "Rounds". */
  label: string;
  columns: readonly Column<Row>[];
  /** A query whose data is a page. Use `rows` if you have the rows already. */
  query?: UseQueryResult<{ items: readonly Row[]; cursor: string | null }, Error>;
  rows?: readonly Row[];
  rowKey: (row: Row) => string;
  /** The first cell links to this page, from `pathOf`; Enter and a click open it. */
  rowPath?: (row: Row) => string | undefined;
  /** Opens a row that has no page, by Enter or a click. Its first cell needs a button. */
  onOpen?: (row: Row) => void;
  /** Rows that can be chosen by checkbox. */
  selection?: { selected: readonly string[]; onChange: (keys: readonly string[]) => void };
  /** `usePaging` makes it. Without it the table has no "Next" and "Previous". */
  paging?: Paging;
  /** The heading when there are no rows. */
  empty?: string;
  /** What helps if there are no rows. */
  emptyHint?: ReactNode;
  /** Download buttons stand here, at the right below the table. */
  footer?: ReactNode;
};

const features = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns,
});
/** The widths of a page, by the theme's names; 0 is a phone. */
const WIDTHS = { sm: 1, md: 2, lg: 3, xl: 4 } as const;
const NO_ROWS: readonly never[] = [];
const SKELETON_ROWS = 8;

/** Marks the region while the table goes on beyond its right edge. */
function markMore(region: HTMLElement) {
  const mark = () =>
    region.toggleAttribute('data-more', region.scrollLeft + region.clientWidth < region.scrollWidth - 1);
  const observer = new ResizeObserver(mark);
  for (const each of [region, ...region.children]) observer.observe(each);
  region.addEventListener('scroll', mark, { passive: true });
  return () => observer.disconnect();
}

const isHidden = ({ hideBelow }: Pick<Column<never>, 'hideBelow'>, width: number) =>
  hideBelow !== undefined && width < WIDTHS[hideBelow];

/** The keys j and k move, Enter opens. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, query, rowKey, rowPath, onOpen, selection, paging, footer } = props;
  const width = useMatches<number>({ base: 0, ...WIDTHS }, { getInitialValueInEffect: false });
  const columns = useMemo(() => props.columns.filter((column) => !isHidden(column, width)), [props.columns, width]);
  const under = (id: string) => props.columns.filter((column) => column.under === id && isHidden(column, width));
  const data = (query ? query.data?.items : props.rows) ?? NO_ROWS;
  const [sorting, setSorting] = useState<SortingState>([]);
  const router = useRouter();

  const table = useTable<typeof features, Row & object>({
    features,
    data: data as readonly (Row & object)[],
    columns: useMemo(
      () =>
        columns.map((column) => ({
          id: column.id,
          header: column.header,
          accessorFn: (row: Row) => column.sortBy?.(row),
          cell: ({ row }: { row: { original: Row } }) => column.cell(row.original),
          enableSorting: column.sortBy !== undefined,
          sortDescFirst: true,
        })),
      [columns],
    ) as never,
    getRowId: (row: Row) => rowKey(row),
    enableRowSelection: selection !== undefined,
    state: {
      sorting,
      rowSelection: Object.fromEntries((selection?.selected ?? []).map((key) => [key, true as const])),
    },
    onSortingChange: setSorting,
    onRowSelectionChange: (change) => {
      const before: RowSelectionState = Object.fromEntries(
        (selection?.selected ?? []).map((key) => [key, true as const]),
      );
      const after = typeof change === 'function' ? change(before) : change;
      selection?.onChange(Object.keys(after).filter((key) => after[key]));
    },
  });

  const rows = table.getRowModel().rows;
  const openRow = (row: Row) => {
    const path = rowPath?.(row);
    if (path !== undefined) router.history.push(path);
    else onOpen?.(row);
  };
  const keys = useRowKeys({
    count: rows.length,
    isOn: rowPath !== undefined || onOpen !== undefined,
    open: (index) => {
      const row = rows[index];
      if (row) openRow(row.original);
    },
  });
  const openOnClick = (event: MouseEvent, row: Row) => {
    const target = event.target as Element;
    const isControl = target.closest('a, button, input, label') !== null;
    // In React's tree a modal that a cell opened is inside the row.
    const isOutside = !event.currentTarget.contains(target);
    if (isControl || isOutside || !isPlainClick(event) || getSelection()?.toString()) return;
    openRow(row);
  };

  if (query?.error && query.data === undefined) {
    return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  }
  const isLoading = query !== undefined && query.data === undefined;
  const byID = new Map(columns.map((column) => [column.id, column]));
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must scroll it. */}
      <section ref={markMore} className={classes.scroll} aria-label={label} tabIndex={0}>
        <table className={classes.table} aria-busy={isLoading || (query?.isPlaceholderData ?? false)}>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {selection && (
                  <th scope="col" className={classes.check}>
                    <Checkbox
                      size="xs"
                      aria-label="Select all rows"
                      checked={rows.length > 0 && table.getIsAllRowsSelected()}
                      indeterminate={table.getIsSomeRowsSelected()}
                      onChange={table.getToggleAllRowsSelectedHandler()}
                    />
                  </th>
                )}
                {group.headers.map((header) => {
                  const column = byID.get(header.column.id);
                  const sorted = header.column.getIsSorted();
                  return (
                    <th
                      key={header.id}
                      scope="col"
                      data-align={column?.align}
                      data-pinned={column?.isPinned || undefined}
                      {...(sorted && { 'aria-sort': sorted === 'asc' ? 'ascending' : 'descending' })}
                    >
                      {header.column.getCanSort() ? (
                        <button type="button" onClick={header.column.getToggleSortingHandler()}>
                          {column?.header}&nbsp;<span aria-hidden>{sorted ? (sorted === 'asc' ? '▲' : '▼') : '↕'}</span>
                        </button>
                      ) : (
                        column?.header
                      )}
                      {under(header.column.id).map((each) => (
                        <div key={each.id} className={classes.under}>
                          {each.header}
                        </div>
                      ))}
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {isLoading &&
              Array.from({ length: SKELETON_ROWS }, (_, line) => (
                <tr key={line} aria-hidden>
                  {selection && <td />}
                  {columns.map(({ id }) => (
                    <td key={id}>
                      <Skeleton height={12} radius="sm" />
                    </td>
                  ))}
                </tr>
              ))}
            {rows.map((row, index) => {
              const path = rowPath?.(row.original);
              return (
                <tr
                  key={row.id}
                  data-active={index === keys.active || undefined}
                  data-link={path !== undefined || onOpen !== undefined || undefined}
                  ref={index === keys.active ? keys.scrollTo : undefined}
                  onClick={(event) => openOnClick(event, row.original)}
                >
                  {selection && (
                    <td className={classes.check}>
                      <Checkbox
                        size="xs"
                        aria-label={`Select ${row.id}`}
                        checked={row.getIsSelected()}
                        onChange={row.getToggleSelectedHandler()}
                      />
                    </td>
                  )}
                  {row.getAllCells().map((cell, place) => {
                    const column = byID.get(cell.column.id);
                    const content = column?.cell(row.original);
                    return (
                      <td
                        key={cell.id}
                        data-align={column?.align}
                        data-cut={column?.isCut || undefined}
                        data-pinned={column?.isPinned || undefined}
                      >
                        {place === 0 && path !== undefined ? <PathLink to={path}>{content}</PathLink> : content}
                        {under(cell.column.id).map((each) => (
                          <div key={each.id} className={classes.under}>
                            {each.cell(row.original)}
                          </div>
                        ))}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
        {isLoading && (
          <span role="status" className={classes.hidden}>
            Loading {label}
          </span>
        )}
        {!isLoading && rows.length === 0 && (
          <EmptyState title={props.empty ?? 'Nothing here'}>{props.emptyHint}</EmptyState>
        )}
      </section>
      {(paging || footer) && (
        <Pager {...(paging && { paging })} cursor={query?.data?.cursor ?? null} shown={rows.length}>
          {footer}
        </Pager>
      )}
    </div>
  );
}
