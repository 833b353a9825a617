import { Table, Text } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { type DiffRow, rowsOfDiff } from '../lib/diff.ts';
import classes from './Changes.module.css';
import { wordsOf } from './StateBadge.tsx';

type DetailsProps = { details: Approval['details'] };

/** Shows the values that a request sets, with those that they replace. */
export function DetailTable({ details }: DetailsProps) {
  return details.length === 0 ? null : <ChangeTable rows={rowsOf(details)} />;
}

/** The same, within a row of a list. */
export function DetailList({ details }: DetailsProps) {
  return <Changes rows={rowsOf(details)} />;
}

function rowsOf(details: Approval['details']): DiffRow[] {
  return details.map(({ field, before, after }) => ({
    ...{ path: field, before: before ?? undefined, after, isChanged: before !== after },
  }));
}

/** Shows the first changed fields, one a line, for a row of a list. */
export function Changes({ rows, most = Number.POSITIVE_INFINITY }: { rows: readonly DiffRow[]; most?: number }) {
  return (
    <>
      <ul className={classes.list} data-short={Number.isFinite(most) || undefined}>
        {rows.slice(0, most).map(({ path, before, after, isChanged }) => (
          <li key={path}>
            {fieldText(path)}: {before !== undefined && (isChanged ? <del>{before}</del> : before)}
            {isChanged ? before !== undefined && ' → ' : ', unchanged'}
            {isChanged && <ins>{after ?? '–'}</ins>}
          </li>
        ))}
      </ul>
      {rows.length > most && <small>and {rows.length - most} more</small>}
    </>
  );
}

/** Names a field in words: `limits.max_bet_micros` is "Limits: max bet", `gameIDs` "Game IDs". */
function fieldText(path: string): string {
  const words = path
    .split('.')
    .map((name) => wordsOf(name).replace(/(?<=.) micros$/, ''))
    .join(': ')
    .replace(/\b(?:id|url)(?=s?\b)/gi, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Props = { before: unknown; after: unknown; subject?: string };

/** Shows two values side by side, field by field; changed fields are marked. */
export function JsonDiff({ before, after, subject }: Props) {
  const rows = rowsOfDiff(before, after, subject);
  return rows.length === 0 ? <Text size="sm">No fields.</Text> : <ChangeTable rows={rows} />;
}

function ChangeTable({ rows }: { rows: readonly DiffRow[] }) {
  return (
    <Table className={classes.table} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Field</Table.Th>
          <Table.Th scope="col">Before</Table.Th>
          <Table.Th scope="col">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ path, before: old, after: now, isChanged }) => (
          <Table.Tr key={path} data-changed={isChanged || undefined}>
            <Table.Th scope="row">{fieldText(path || 'value')}</Table.Th>
            <Table.Td>{old === undefined ? '–' : isChanged ? <del>{old}</del> : old}</Table.Td>
            <Table.Td>{now === undefined ? '–' : isChanged ? <ins>{now}</ins> : now}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
