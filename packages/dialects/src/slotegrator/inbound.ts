import type { ZodError } from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import type { Connection } from './settings.ts';

/** An empty parameter is a missing one. */
export type Asked = { connection: Connection; server: DialectServer; params: Readonly<Record<string, string>> };

export function respond(content: unknown, status = 200): InboundResponse {
  return { status, body: JSON.stringify(content) };
}

const NAMES = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 422: 'Data Validation Failed' } as const;

export function refuse(status: keyof typeof NAMES, message: string): InboundResponse {
  return respond({ name: NAMES[status], message, code: 0, status }, status);
}

/** Parameters that do not fit the schema. */
export function invalid(error: ZodError): InboundResponse {
  return refuse(422, firstIssue(error));
}
