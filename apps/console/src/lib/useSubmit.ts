import { useState } from 'react';

/** Runs one request at a time, and keeps its error. */
export function useSubmit() {
  const [error, setError] = useState<Error>();
  const [pending, setPending] = useState<string>();
  const run = async (name: string, work: () => Promise<unknown>) => {
    if (pending !== undefined) return;
    setPending(name);
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setPending(undefined);
    }
  };
  return { error, pending, run };
}
