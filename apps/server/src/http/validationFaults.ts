import { RequestValidationError } from '@ts-rest/express';
import type { ErrorRequestHandler } from 'express';
import type * as z from 'zod';

type Issue = { path?: ReadonlyArray<unknown>; message: string };

/** Hands ts-rest's own error to the one error handler, in place of its default answer. */
export const passOn: ErrorRequestHandler = (error, _req, _res, next) => next(error);

/** What is wrong with a request that the contract refused, for the client: field and rule, never the value. */
export function firstFault(error: RequestValidationError): string {
  const parts = [error.body, error.headers, error.pathParams, error.query] as (z.ZodError | null)[];
  const issue: Issue | undefined = parts.flatMap((part) => (part === null ? [] : issuesOf(part)))[0];
  if (issue === undefined) return 'the request is not valid';
  const where = issue.path?.map(String).join('.');
  return where ? `${where}: ${issue.message}` : issue.message;
}

function issuesOf(error: { issues?: readonly Issue[] }): readonly Issue[] {
  return error.issues ?? [];
}

export { RequestValidationError };
