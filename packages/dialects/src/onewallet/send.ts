import { randomUUID } from 'node:crypto';
import type { CurrencyCode, Micros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import type { Post } from '../dialect.ts';
import { decimalText, readTotal } from '../money.ts';
import { type Failure, invalid, LACKING, NOT_MOVABLE, unanswered } from '../results.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';
import { errorResult, isDone, type Requested } from './errors.ts';
import type { Connection } from './settings.ts';

type Call<Name extends WalletCall['name']> = Extract<WalletCall, { name: Name }>;
type Money = Call<'debit'> | Call<'credit'> | Call<'rollback'>;
type Player = { userId: string; sid: string; currency: CurrencyCode; gameID: string };
type WireRequest = { path: Requested; uuid: string; currency: CurrencyCode; body: object };
/** balance: the wallet may leave it out, and then a separate request reads it. */
type Read = { kind: 'accepted'; httpStatus: number; sid: unknown; balance: Micros | undefined } | Failure;
type Wallet = { connection: Connection; post: Post };

/** Makes the requests of one call, and reads their responses. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  const wallet = { connection, post };
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  if (call.name === 'authenticate') return authenticate(wallet, call);
  if (call.name !== 'balance') return move(wallet, call);
  const { playerID: userId, currency, gameID } = call.body;
  return readBalance(wallet, { userId, sid: call.context.token ?? '', currency, gameID });
}

async function authenticate(wallet: Wallet, { body, context }: Call<'authenticate'>): Promise<AnyResult> {
  const { token: sid = '', playerID = '', currency = '' } = context;
  if (wallet.connection.settings.check) {
    const uuid = randomUUID();
    const content = { sid, userId: playerID, channel: { type: 'P' }, uuid };
    const checked = await request(wallet, { path: 'check', uuid, currency, body: content });
    if (checked.kind !== 'accepted') return checked;
    if ((checked.sid ?? sid) !== sid)
      return { kind: 'refused', code: 'ERR_GE', httpStatus: checked.httpStatus, detail: 'check gives another sid' };
  }
  const read = await readBalance(wallet, { userId: playerID, sid, currency, gameID: body.gameID });
  return read.kind === 'accepted' ? { ...read, body: { playerID, currency, ...read.body } } : read;
}

async function readBalance(wallet: Wallet, player: Player) {
  const { connection } = wallet;
  const { userId, sid, currency, gameID } = player;
  const uuid = randomUUID();
  const code = connection.currency(currency)?.code;
  const body = { sid, userId, game: gameOf(connection, { gameID }), currency: code, uuid };
  const read = await request(wallet, { path: 'balance', uuid, currency, body });
  if (read.kind !== 'accepted') return read;
  const { httpStatus, balance } = read;
  if (balance === undefined) return invalid(httpStatus, 'no balance in whole micros');
  return { kind: 'accepted' as const, httpStatus, body: { balance } };
}

function gameOf({ settings }: Connection, { gameID, roundID }: { gameID: string; roundID?: string }): object {
  return {
    ...(roundID !== undefined && { id: roundID }),
    type: settings.gameType,
    details: { table: { id: gameID, vid: null } },
  };
}

async function move(wallet: Wallet, call: Money): Promise<AnyResult> {
  const asked = moneyRequest(wallet.connection, call);
  if (asked === undefined) return NOT_MOVABLE;
  const read = await request(wallet, asked);
  if (read.kind !== 'accepted') return read;
  const { httpStatus, balance } = read;
  return { kind: 'accepted', httpStatus, body: { balance } };
}

/**
 * A retry is the same request to the byte. Returns undefined when the wallet cannot move the
 * amount. transaction.id of a cancel is that of its debit, so uuid alone names the rollback.
 */
function moneyRequest(connection: Connection, { name, body, context }: Money): WireRequest | undefined {
  const { transactionID: uuid, playerID: userId, currency: ours, gameID, roundID } = body;
  const currency = connection.currency(ours);
  const amount = currency?.scale.write((name === 'rollback' ? (context.amount ?? 0) : body.amount) as Micros);
  if (currency === undefined || amount === undefined) return undefined;
  const refId = name === 'debit' ? body.transactionID : body.debitTransactionID;
  const id = name === 'credit' ? `C${uuid}` : `D${refId}`;
  const content = {
    sid: context.token ?? '',
    userId,
    currency: currency.code,
    game: gameOf(connection, { gameID, roundID }),
    transaction: { id, refId, amount: decimalText(amount, currency.decimals) },
    uuid,
  };
  return { path: name === 'rollback' ? 'cancel' : name, uuid, currency: ours, body: content };
}

async function request({ connection, post }: Wallet, asked: WireRequest): Promise<Read> {
  const path = `/${asked.path}?authToken=${encodeURIComponent(connection.settings.authToken)}`;
  const headers = ['content-type', 'application/json'];
  return read(connection, asked, await post({ path, headers, body: stringifyAmount(asked.body) }));
}

/** Returns JSON with the text of the member `amount` as a number. */
function stringifyAmount(body: object): string {
  // Within a string of JSON each quotation mark has a backslash, so only the member matches.
  return JSON.stringify(body).replace(/"amount":"(\d+(?:\.\d+)?)"/, '"amount":$1');
}

/** Anything but a success or a status that is certain is uncertain. */
function read(connection: Connection, request: WireRequest, exchange: WalletExchange): Read {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  const { status, uuid, sid, balance, bonus } = parseWithNumberTexts(text);
  if (httpStatus !== 200 || typeof status !== 'string') return invalid(httpStatus, 'no status of the protocol');
  const isOther = uuid !== undefined && uuid !== null && uuid !== request.uuid;
  if (isOther) return invalid(httpStatus, 'the uuid of another request');
  if (!isDone(request.path, status.trim())) return errorResult(request.path, httpStatus, status.trim());
  const currency = connection.currency(request.currency);
  // The status is certain of the money, whatever the balance is.
  return { kind: 'accepted', httpStatus, sid, balance: currency && readTotal(currency, balance, bonus ?? '0') };
}
