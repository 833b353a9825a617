import { Alert } from '@mantine/core';
import type { Account } from '@roundhouse/contract/admin';
import { useState } from 'react';
import { Time } from '../components/Time.tsx';

/** Shows failed tries to sign in as you between your last two sign-ins. */
export function WrongTries({ account: { email, wrongTries } }: { account: Account }) {
  const [isClosed, setClosed] = useState(false);
  if (wrongTries === null || isClosed) return null;
  const { count, lastAt, addresses } = wrongTries;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      mb="sm"
      p="xs"
      withCloseButton
      closeButtonLabel="I have read this"
      onClose={() => setClosed(true)}
    >
      {count === 1 ? 'One failed sign-in' : `${count} failed sign-ins`} as {email} between your last two sign-ins, the
      last at <Time at={lastAt} />
      {addresses.length > 0 && `, from ${addresses.join(', ')}`}. If it was not you, tell an administrator.
    </Alert>
  );
}
