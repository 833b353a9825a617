import type { ZodError } from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import type { Connection } from './settings.ts';

export type Asked = { connection: Connection; server: DialectServer; body: unknown };

export function respond(content: object): InboundResponse {
  return { status: 200, body: JSON.stringify(content) };
}

export function refuse(status: number, code: string, message: string): InboundResponse {
  return { status, body: JSON.stringify({ errors: [{ code, message }] }) };
}

/** The code of a validation failure, by the first member that is not right. */
const VALIDATION_CODES: readonly [member: string, code: string][] = [
  ['uuid', 'V.16'],
  ['player.session', 'V.10'],
  ['player.country', 'V.11'],
  ['player.currency', 'V.12'],
  ['player.language', 'V.13'],
  ['player.id', 'V.41'],
  ['player', 'V.17'],
  ['config.game', 'V.26'],
  ['config.channel', 'V.20'],
  ['config.urls', 'V.29'],
  ['config', 'V.18'],
];

/** A body that does not fit the schema. */
export function invalid({ issues: [issue] }: ZodError): InboundResponse {
  const { path = [], message = '' } = issue ?? {};
  const member = path.join('.');
  const [, code = 'G.0'] = VALIDATION_CODES.find(([name]) => `${member}.`.startsWith(`${name}.`)) ?? [];
  return refuse(400, code, `'${member}': ${message}`);
}
