import type { ZodError } from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import type { Connection } from './settings.ts';
import type { Form } from './signature.ts';

export type Asked = { connection: Connection; server: DialectServer; form: Form; body: string };

/** The status is always 200. */
export function respond(content: object): InboundResponse {
  return { status: 200, body: JSON.stringify({ error: '0', description: 'OK', ...content }) };
}

/** Operators compare the error with the text "0". The other codes are for people. */
const ERRORS = { internal: '1', unsigned: '2', parameters: '7', game: '8' } as const;

export function refuse(error: keyof typeof ERRORS, description: string): InboundResponse {
  return respond({ error: ERRORS[error], description });
}

/** Parameters that do not fit the schema. */
export function invalid({ issues }: ZodError): InboundResponse {
  return refuse('parameters', issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}
