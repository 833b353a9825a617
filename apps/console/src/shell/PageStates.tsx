import { Anchor, Center, Loader } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PathLink } from '../components/PathLink.tsx';

/** Shown while the code of a page loads. */
export function PagePending() {
  return (
    <Center py="xl" role="status" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}

/** Replaces a page that failed. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error as Error} onRetry={reset} />;
}

/** Replaces a page that does not exist. */
export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState title="Nothing is at this address">
        <Anchor component={PathLink} to="/" fz="sm">
          Go to the overview
        </Anchor>
      </EmptyState>
    </>
  );
}
