import { Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Issues } from '../lib/errors.ts';
import { ErrorText } from './ErrorState.tsx';

type Props = {
  onSubmit: () => void;
  /** `useSubmit` returns it; what names no field is shown at the top. */
  failure?: Issues;
  children: ReactNode;
};

export function SubmitForm({ onSubmit, failure, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const wrong = failure && form.current?.querySelector('[role="alert"], [aria-invalid="true"]');
    wrong?.scrollIntoView({ block: 'center' });
  }, [failure]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a modal is, for React, inside the forms of the page.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        <ErrorText error={failure?.rest} />
        {children}
      </Stack>
    </form>
  );
}
