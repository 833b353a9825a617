import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Paging } from '../lib/usePaging.ts';

type Props = {
  paging?: Paging;
  /** The cursor of the next page; null at the end. */
  cursor: string | null;
  shown: number;
  children?: ReactNode;
};

/** Turns the pages of a list. */
export function Pager({ paging, cursor, shown, children }: Props) {
  return (
    <Group justify="space-between" mt="xs" gap="xs">
      <Text size="sm" c="dimmed">
        {shown.toLocaleString('en')} {shown === 1 ? 'row' : 'rows'}
      </Text>
      <Group gap="xs">
        {children}
        {paging && (
          <>
            <Button size="xs" variant="default" disabled={paging.isFirst} onClick={paging.previous}>
              Previous
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={cursor === null}
              onClick={() => {
                if (cursor !== null) paging.next(cursor);
              }}
            >
              Next
            </Button>
          </>
        )}
      </Group>
    </Group>
  );
}
