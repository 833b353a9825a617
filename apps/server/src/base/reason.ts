import { StartError } from '@roundhouse/service';

/**
 * Says why a file or a connection fails: by the code of the system, for example ENOENT, which every
 * person can look up. Its message repeats the path. An error without a code has its message.
 */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/**
 * A handler for `catch`: it stops the command or the start with what could not be done, and the
 * reason.
 */
export function stopWith(what: string): (error: unknown) => never {
  return (error) => {
    throw new StartError(`${what}: ${reasonOf(error)}.`);
  };
}
