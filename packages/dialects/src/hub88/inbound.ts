import type { ZodError } from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import type { Connection } from './settings.ts';

/** A request of a casino that is signed. */
export type Asked = { connection: Connection; server: DialectServer; operatorID: string; body: unknown };

export function respond(content: unknown, status = 200): InboundResponse {
  return { status, body: JSON.stringify(content) };
}

export function refuse(status: number, error: string): InboundResponse {
  return respond({ error }, status);
}

/** A body that does not fit the schema. */
export function invalid(error: ZodError): InboundResponse {
  return refuse(400, firstIssue(error, 'body'));
}
