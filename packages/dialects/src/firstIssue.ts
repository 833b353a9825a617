import type { ZodError } from 'zod';

/** What is wrong first, for a response. root: the name of the request as a whole. */
export function firstIssue({ issues: [issue] }: ZodError, root = ''): string {
  return `${issue?.path.join('.') || root}: ${issue?.message}`;
}
