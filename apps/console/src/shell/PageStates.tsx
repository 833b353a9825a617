import { Center, Loader } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PathLink } from '../components/PathLink.tsx';

/** Waits for the code of a page. */
export function PagePending() {
  return (
    <Center py="xl" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}

/** Takes the place of a page that failed. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error as Error} onRetry={reset} />;
}

/** Takes the place of a page that does not exist. */
export function NotFound() {
  return (
    <main>
      <PageHead title="There is no such page" />
      <EmptyState title="This address leads nowhere">
        <PathLink to="/">Go to the overview</PathLink>
      </EmptyState>
    </main>
  );
}
