import { isPlainText } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import type { Connection } from './settings.ts';

export const nameOf = (characters: number) =>
  z.string().min(1).max(characters).refine(isPlainText, 'must not hold control characters');

export const requestSchema = z.object({
  credentials: z.object({ partnerid: z.int() }),
  currency: nameOf(16).nullish(),
  roundid: z.string().default(''),
});

/** The request of Relax has the password. */
export type Asked = { connection: Connection; server: DialectServer; body: z.output<typeof requestSchema> };

export function respond(content: object, status = 200): InboundResponse {
  return { status, body: JSON.stringify(content) };
}

export function refuse(status: number, errormessage: string): InboundResponse {
  return respond({ errorcode: 'INVALID_PARAMETERS', errormessage }, status);
}

/** A body that does not fit the schema. */
export function invalid(error: z.ZodError): InboundResponse {
  return refuse(400, firstIssue(error));
}
