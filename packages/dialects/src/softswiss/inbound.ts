import { type CurrencyCode, countrySchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundResponse } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import type { Casino, Connection } from './settings.ts';

/** A request that a token of the casino signs. */
export type Asked = { connection: Connection; casino: Casino; server: DialectServer; body: unknown };

export function respond(content: object): InboundResponse {
  return { status: 200, body: JSON.stringify(content) };
}

/** An error of Twirp has that of the aggregator in its meta. */
type Problem = { status?: number; code?: string; apiCode?: string };

export function refuse(
  msg: string,
  { status = 400, code = 'invalid_argument', apiCode = '400' }: Problem = {},
): InboundResponse {
  return { status, body: JSON.stringify({ code, msg, meta: { api_code: apiCode, api_message: msg } }) };
}

/** A body that does not fit the schema. */
export function invalid(error: z.ZodError): InboundResponse {
  return refuse(firstIssue(error));
}

export const nameSchema = z.string().min(1).max(128);
export const accountSchema = z.object({ id: nameSchema, currency: nameSchema, country: countrySchema.optional() });

type Player = { refusal?: undefined; playerID: string; currency: CurrencyCode };

/** Returns the player of an account, or the response when the server can have none. */
export function playerOf(
  { id, currency: code }: z.output<typeof accountSchema>,
  { connection, casino }: Asked,
): Player | { refusal: InboundResponse } {
  const currency = connection.currencyByCode(code.toUpperCase())?.currency;
  if (currency === undefined) return { refusal: refuse(`account.currency: ${code} is not known`, { apiCode: '154' }) };
  const playerID = connection.nameIn(casino, id);
  if (playerIDSchema.safeParse(playerID).success) return { playerID, currency };
  return { refusal: refuse('account.id: is no name of a player', { apiCode: '101' }) };
}
