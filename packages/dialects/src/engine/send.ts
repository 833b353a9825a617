import { toMicros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import type { WalletCurrency } from '../money.ts';
import { invalid, LACKING, NOT_MOVABLE, refusedUnsent, unanswered, walletReferenceOf } from '../results.ts';
import type { AnyResult, SentCall, WalletCall } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';
import { SIGNATURE_HEADER } from './signature.ts';

const PATHS = {
  authenticate: '/v1/balance',
  balance: '/v1/balance',
  debit: '/v1/debit',
  credit: '/v1/credit',
  rollback: '/v1/rollback',
} as const;

/** Makes one request, and reads its response. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const { token } = call.context;
  if (token === undefined) return refusedUnsent('ERR_IS', 'the session has no token of a launch');
  const { currency: code = '' } = call.name === 'authenticate' ? call.context : call.body;
  const currency = connection.currency(code);
  const body = currency && bodyOf(call, token, currency);
  if (currency === undefined || body === undefined) return NOT_MOVABLE;
  const headers = ['content-type', 'application/json; charset=utf-8'];
  headers.push(SIGNATURE_HEADER, connection.signatureOf(body));
  return resultOf(call, currency, await post({ path: PATHS[call.name], headers, body }));
}

/** Returns undefined when the scale cannot write the amount. */
function bodyOf(call: SentCall, token: string, currency: WalletCurrency): string | undefined {
  if (call.name === 'authenticate' || call.name === 'balance') return JSON.stringify({ token });
  const fields = fieldsOf(call, currency);
  if (fields === undefined) return undefined;
  // The round is a number of any size, and JSON.stringify writes none above 2^53.
  return `{"token":${JSON.stringify(token)},"round":${call.body.roundID},${JSON.stringify(fields).slice(1)}`;
}

/** The wallet requires the player's address at the launch, which may be empty. */
const NO_ADDRESS = '';

function fieldsOf(
  { name, body, context }: WalletCall<'debit' | 'credit' | 'rollback'>,
  { code: currency, scale }: WalletCurrency,
): object | undefined {
  const id = body.transactionID;
  if (name === 'rollback') return { active: false, rollbacks: [{ id, ref: body.debitTransactionID }] };
  const amount = Number(scale.write(toMicros(body.amount)));
  if (!Number.isSafeInteger(amount)) return undefined;
  if (name === 'debit') {
    const debit = { id, amount, currency };
    return { mode: body.mode, active: context.closesRound !== true, ip: NO_ADDRESS, debit, credit: null };
  }
  const closing = { active: false, ip: NO_ADDRESS };
  return amount === 0 ? closing : { ...closing, credit: { id, amount, ref: body.debitTransactionID, currency } };
}

const balanceSchema = z.object({ amount: z.unknown(), currency: z.string() });

function resultOf({ name, context }: SentCall, currency: WalletCurrency, exchange: WalletExchange): AnyResult {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  const response = parseWithNumberTexts(text);
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  if (!isSuccess || response.code !== undefined) return errorResult(name, httpStatus, response.code);
  const { data: balance } = balanceSchema.safeParse(response.balance);
  // A success with a balance or the wallet's id is certain of the money, even if the balance cannot
  // be read. A balance in another currency makes it uncertain.
  const id = response.debit_id ?? response.credit_id ?? response.rollback_ids;
  if (balance === undefined && id == null) return invalid(httpStatus, 'another body');
  if (balance !== undefined && balance.currency !== currency.code) return invalid(httpStatus, 'another currency');
  const micros = currency.read(balance?.amount, currency.decimals);
  const isRead = name === 'authenticate' || name === 'balance';
  if (isRead && micros === undefined) return invalid(httpStatus, 'no balance in whole micros');
  const reference = walletReferenceOf(Array.isArray(id) ? id[0] : id);
  const player = name === 'authenticate' && { playerID: context.playerID, currency: currency.currency };
  return { kind: 'accepted', httpStatus, body: { ...player, balance: micros, reference } } as AnyResult;
}
