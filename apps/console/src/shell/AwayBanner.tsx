import { Alert, Loader } from '@mantine/core';
import { away } from '../api.ts';
import classes from './AwayBanner.module.css';

/** Says that the server or its database is away. Reads are repeated, so it closes automatically. */
export function AwayBanner() {
  const error = away.use();
  return (
    <div role="status" className={classes.banner}>
      {error && (
        <Alert color="red" variant="filled" p="xs" radius={0} icon={<Loader size={16} color="white" aria-hidden />}>
          {error.hasResponse ? 'The database is away.' : 'The server does not respond.'} The page retries automatically.
        </Alert>
      )}
    </div>
  );
}
