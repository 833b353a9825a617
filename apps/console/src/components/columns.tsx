import type { WholeMicros } from '@roundhouse/contract/light';
import type { ReactNode } from 'react';
import { countText } from '../lib/rtp.ts';
import { Amount } from './Amount.tsx';
import type { Column } from './DataTable.tsx';
import { Time } from './Time.tsx';

type Read<Row, Value> = (row: Row) => Value | null | undefined;
type Hidden = Column<never>['hideBelow'];
type Money = { currency: string | null };

/** A dash stands for a missing text. */
export function textColumn<Row>(id: string, header: string, read: Read<Row, ReactNode>, hideBelow?: Hidden) {
  return { id, header, cell: (row: Row) => read(row) ?? '–', hideBelow };
}

/** Figures stand at the right. */
export function figureColumn<Row>(id: string, header: string, read: Read<Row, ReactNode>, hideBelow?: Hidden) {
  return { ...textColumn(id, header, read, hideBelow), align: 'right' as const };
}

/** Numbers have groups of digits. */
export function countColumn<Row>(id: string, header: string, read: Read<Row, number | string>, hideBelow?: Hidden) {
  const cell = (count: number | string | null | undefined) => count != null && countText(Number(count));
  return figureColumn(id, header, (row: Row) => cell(read(row)) || undefined, hideBelow);
}

/** Each amount is in the currency of its row. */
export function amountColumn<R extends Money>(
  id: string,
  header: string,
  read: Read<R, WholeMicros>,
  hideBelow?: Hidden,
) {
  return figureColumn(id, header, (row: R) => <Amount micros={read(row)} currency={row.currency ?? ''} />, hideBelow);
}

/** A column of GGR: a gain has a plus sign. */
export function ggrColumn<R extends Money>(id: string, header: string, read: Read<R, WholeMicros>, hideBelow?: Hidden) {
  const cell = (row: R) => <Amount micros={read(row)} currency={row.currency ?? ''} isSigned />;
  return figureColumn(id, header, cell, hideBelow);
}

export function timeColumn<Row>(id: string, header: string, read: Read<Row, string>, hideBelow?: Hidden) {
  return textColumn(id, header, (row: Row) => <Time at={read(row)} />, hideBelow);
}
