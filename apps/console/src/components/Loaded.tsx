import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';

type Props<Data> = {
  query: UseQueryResult<Data, Error>;
  /** Height of the skeleton in lines. */
  lines?: number;
  children: (data: Data) => ReactNode;
};

/**
 * Shows a skeleton, an error with "Try again", or the data. Old data stays visible during a reload.
 */
export function Loaded<Data>({ query, lines = 4, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={18} radius="sm" />
      ))}
    </Stack>
  );
}
