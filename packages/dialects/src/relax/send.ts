import { randomUUID } from 'node:crypto';
import { countrySchema, toMicros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import type { WalletCurrency } from '../money.ts';
import { parseJson } from '../parseJson.ts';
import { type Failure, invalid, LACKING, NOT_MOVABLE, refusedUnsent, unanswered } from '../results.ts';
import type { AnyResult, SentCall, WalletCall } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';

const METHODS = {
  authenticate: 'getbalance',
  balance: 'getbalance',
  debit: 'withdraw',
  credit: 'deposit',
  rollback: 'rollback',
} as const;

const placeSchema = z.object({ partnerid: z.int(), channel: z.string(), clientid: z.string().optional() });
/** verifytoken gets the ticket of a launch. */
const ticketSchema = placeSchema.extend({ ticket: z.string(), ip: z.string().optional() });
/** The server stores this as the token of the session, in the form of JSON. */
const sessionSchema = placeSchema.extend({ sessionid: z.int() });
export type Ticket = z.output<typeof ticketSchema>;
type Session = z.output<typeof sessionSchema>;

const balanceSchema = z.object({ currency: z.string().nullish() });
const verifiedSchema = z.object({
  playerid: z.int().min(1),
  partnerid: z.int().nullish(),
  countrycode: countrySchema.nullish(),
  // A response without a currency means euro.
  currency: z.string().min(1).default('EUR'),
  jurisdiction: z.string().nullish(),
  sessionid: z.int(),
});

/** Makes one request of the P2P protocol, and reads its response. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const token = parseJson(call.context.token ?? '');
  const ticket = ticketSchema.safeParse(token);
  if (call.name === 'authenticate' && ticket.success)
    return verifyToken(connection, { gameID: call.body.gameID, ...ticket.data }, post);
  const session = sessionSchema.safeParse(token);
  if (!session.success) return refusedUnsent('ERR_IS', 'the session has no token of this protocol');
  const { playerID = '', currency: code = '' } = call.name === 'authenticate' ? call.context : call.body;
  const currency = connection.currency(code);
  const fields = fieldsOf(call, session.data, currency);
  if (fields === undefined) return NOT_MOVABLE;
  const { partnerid, sessionid } = session.data;
  const gameref = connection.gamerefOf(call.body.gameID);
  const body = { playerid: connection.playeridOf(playerID), gameref, currency: currency.code, sessionid, ...fields };
  const wanted = { name: call.name, method: METHODS[call.name], partnerid, body, schema: balanceSchema };
  const read = await request(connection, wanted, post);
  if (read.kind !== 'read') return read;
  const { httpStatus, content, texts } = read;
  const balance = currency.read(texts.balance, currency.decimals);
  const isRead = call.name === 'authenticate' || call.name === 'balance';
  // A response to a withdraw has a balance, which need not be readable. Others may have none.
  const lacksBalance = isRead ? balance === undefined : call.name === 'debit' && texts.balance == null;
  if (lacksBalance || (content.currency ?? currency.code) !== currency.code)
    return invalid(httpStatus, 'no balance in whole micros of this currency');
  const player = call.name === 'authenticate' && { playerID, currency: currency.currency };
  return { kind: 'accepted', httpStatus, body: { ...player, balance } } as AnyResult;
}

/**
 * Each attempt of a deposit or rollback has the same content: it derives from the wallet
 * transaction. Returns undefined when cents cannot write the amount.
 */
function fieldsOf(call: SentCall, { channel, clientid }: Session, { scale }: WalletCurrency): object | undefined {
  const { name, body, context } = call;
  const timestamp = (context.storedAt ?? new Date()).getTime();
  if (name === 'authenticate' || name === 'balance') return { requestid: randomUUID(), timestamp };
  const amount = scale.write(toMicros(name === 'rollback' ? (context.amount ?? 0) : body.amount));
  if (amount === undefined) return undefined;
  const { transactionID: txid, roundID: roundid } = body;
  const fields = { requestid: txid, timestamp, roundid, clientid, txid, amount: Number(amount) };
  if (name === 'debit') return { ...fields, channel, txtype: 'withdraw', ended: false };
  if (name === 'credit') return { ...fields, channel, txtype: 'deposit', ended: true };
  const original = { originaltxid: body.debitTransactionID, originaltimestamp: context.debitStoredAt?.getTime() };
  return { ...fields, ...original, txtype: 'withdraw', ended: true };
}

type Wanted<Content> = {
  name: SentCall['name'];
  method: string;
  partnerid: number;
  body: object;
  schema: z.ZodType<Content>;
};
/** In `texts` each number of the response is the text that the response has. */
type Read<Content> = { kind: 'read'; httpStatus: number; content: Content; texts: Record<string, unknown> };

/** Anything but a success with this content, or an error with a known code, is uncertain. */
async function request<Content>(
  { authorization }: Connection,
  { name, method, partnerid, body, schema }: Wanted<Content>,
  post: Post,
): Promise<Failure | Read<Content>> {
  const headers = ['content-type', 'application/json', 'authorization', authorization];
  const exchange = await post({ path: `/${partnerid}/${method}`, headers, body: JSON.stringify(body) });
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  const content = parseJson(text);
  const { errorcode } = (content ?? {}) as { errorcode?: unknown };
  if (errorcode !== undefined) return errorResult(name, httpStatus, String(errorcode));
  const parsed = schema.safeParse(content);
  if (parsed.success && httpStatus >= 200 && httpStatus < 300)
    return { kind: 'read', httpStatus, content: parsed.data, texts: parseWithNumberTexts(text) };
  return invalid(httpStatus, `status ${httpStatus} with another body`);
}

/** Exchanges the ticket of a launch for the player, and for the token that the server keeps. */
async function verifyToken(
  connection: Connection,
  { gameID, ticket, partnerid, ip, ...place }: Ticket & { gameID: string },
  post: Post,
): Promise<AnyResult> {
  const gameref = connection.gamerefOf(gameID);
  const body = { requestid: randomUUID(), timestamp: Date.now(), ...place, token: ticket, partnerid, ip, gameref };
  const wanted = { name: 'authenticate', method: 'verifytoken', partnerid, body, schema: verifiedSchema } as const;
  const read = await request(connection, wanted, post);
  if (read.kind !== 'read') return read;
  const { httpStatus, content: verified, texts } = read;
  const { currency, decimals, read: amountIn } = connection.currencyByCode(verified.currency);
  const { maximumbet } = { ...(texts.operatorbetsettings as object) } as { maximumbet?: unknown };
  const [balance, maxStake] = [amountIn(texts.balance, decimals), amountIn(maximumbet, decimals)];
  if (balance === undefined || (maximumbet != null && (maxStake ?? -1) < 0))
    return invalid(httpStatus, 'an amount that is not in whole micros');
  if ((verified.partnerid ?? partnerid) !== partnerid) return invalid(httpStatus, 'a player of another partner');
  const token: Session = { partnerid, ...place, sessionid: verified.sessionid };
  const playerID = connection.playerIDOf(partnerid, verified.playerid);
  const jurisdiction = connection.jurisdictionOf(verified.jurisdiction);
  const country = verified.countrycode ?? undefined;
  const player = { playerID, currency, balance, country, jurisdiction, maxStake };
  return { kind: 'accepted', httpStatus, body: { ...player, token: JSON.stringify(token) } };
}
