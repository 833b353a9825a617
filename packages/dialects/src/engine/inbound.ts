import type { ZodError } from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import type { Connection } from './settings.ts';

/** A request of the operator that is signed. */
export type Asked = { connection: Connection; server: DialectServer; body: unknown };

export function respond(content: unknown, status = 200): InboundResponse {
  return { status, body: JSON.stringify(content) };
}

/** The response has the shape that the operator's own errors have. */
export function refuse(status: 400 | 401 | 403 | 404, message: string): InboundResponse {
  return respond({ code: status === 401 ? 'ERR_ATE' : 'ERR_BAD', message }, status);
}

/** A body that does not fit the schema. */
export function invalid(error: ZodError): InboundResponse {
  return refuse(400, firstIssue(error, 'body'));
}
