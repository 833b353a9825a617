import { useState } from 'react';
import { type Issues, issuesAt } from './errors.ts';

const NONE: Issues = { at: {}, rest: undefined };

/**
 * Runs one request at a time. A refusal is shown at the fields that it names: in `issues`, or by
 * `show` of a form that keeps its errors. What names no field is the `rest` of `failure`.
 */
export function useSubmit(fields: readonly string[] = [], show?: (issues: Record<string, string>) => void) {
  const [failure, setFailure] = useState(NONE);
  const [pending, setPending] = useState<string>();
  /** Returns whether it succeeded. */
  const run = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    if (pending !== undefined) return false;
    setPending(name);
    setFailure(NONE);
    try {
      await work();
      return true;
    } catch (thrown) {
      const issues = issuesAt(fields, thrown as Error);
      setFailure(issues);
      if (Object.keys(issues.at).length > 0) show?.(issues.at);
      return false;
    } finally {
      setPending(undefined);
    }
  };
  return { failure, issues: failure.at, pending, run, clear: () => setFailure(NONE) };
}
