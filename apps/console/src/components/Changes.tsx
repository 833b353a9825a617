import { Table, Text } from '@mantine/core';
import { rowsOfDiff } from '../lib/diff.ts';
import classes from './JsonDiff.module.css';

type Props = { before: unknown; after: unknown };

/** Shows two values side by side, field by field; changed fields are marked. */
export function JsonDiff({ before, after }: Props) {
  const rows = rowsOfDiff(before, after);
  if (rows.length === 0) return <Text size="sm">No fields.</Text>;
  return (
    <Table.ScrollContainer minWidth={320}>
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
              <Table.Th scope="row">{path || 'value'}</Table.Th>
              <Table.Td>{old === undefined ? '–' : isChanged ? <del>{old}</del> : old}</Table.Td>
              <Table.Td>{now === undefined ? '–' : isChanged ? <ins>{now}</ins> : now}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
