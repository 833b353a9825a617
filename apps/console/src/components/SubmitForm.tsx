import { Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** A form with its fields below each other. */
export function SubmitForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a modal is, for React, inside the forms of the page.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">{children}</Stack>
    </form>
  );
}
