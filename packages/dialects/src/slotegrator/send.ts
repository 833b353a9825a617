import { randomBytes } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import { decimalText, type WalletCurrency } from '../money.ts';
import { invalid, LACKING, NOT_MOVABLE, unanswered, walletReferenceOf } from '../results.ts';
import type { AnyResult, SentCall, WalletCall } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';
import { formOf, type Params, signatureOf } from './signature.ts';

/** Makes one callback, and reads its response. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const code = call.name === 'authenticate' ? call.context.currency : call.body.currency;
  const currency = code === undefined ? undefined : connection.currency(code);
  const params = currency && paramsOf(call, currency);
  if (currency === undefined || params === undefined) return NOT_MOVABLE;
  const { merchantID: merchant, merchantKey, callbackPath: path } = connection.settings;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const headers = [
    ...['content-type', 'application/x-www-form-urlencoded'],
    ...['X-Merchant-Id', merchant, 'X-Timestamp', timestamp, 'X-Nonce', nonce],
    ...['X-Sign', signatureOf(params, { merchant, timestamp, nonce }, merchantKey)],
  ];
  const exchange = await post({ path, headers, body: formOf(params) });
  return resultOf(call, exchange, currency);
}

/** Returns undefined when the scale cannot write the amount. */
function paramsOf(call: SentCall, currency: WalletCurrency): Params | undefined {
  const { name, body, context } = call;
  const player_id = name === 'authenticate' ? context.playerID : body.playerID;
  const who = { player_id, session_id: context.token, currency: currency.code };
  if (name === 'authenticate' || name === 'balance') return listOf({ action: 'balance', ...who });
  const amount = currency.scale.write(toMicros(name === 'rollback' ? (context.amount ?? 0) : body.amount));
  if (amount === undefined) return undefined;
  const common = {
    amount: decimalText(amount, currency.decimals),
    ...who,
    game_uuid: body.gameID,
    transaction_id: transactionIdOf(body.transactionID),
    round_id: body.roundID,
  };
  if (name === 'debit') return listOf({ action: 'bet', ...common, type: 'bet', finished: '0' });
  if (name === 'credit') return listOf({ action: 'win', ...common, type: 'win', finished: '1' });
  const bet_transaction_id = transactionIdOf(body.debitTransactionID);
  return listOf({ action: 'refund', ...common, bet_transaction_id, finished: '1' });
}

function listOf(fields: Readonly<Record<string, string | undefined>>): Params {
  return Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** The aggregator's ids are 32 hex digits, and so is a UUID without its dashes. */
function transactionIdOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** Numbers are texts, as the response has them. */
const responseSchema = z.object({
  balance: z.unknown().optional(),
  transaction_id: z.string().optional(),
  error_code: z.string().optional(),
});

function resultOf({ name, context }: SentCall, exchange: WalletExchange, currency: WalletCurrency): AnyResult {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  if (httpStatus !== 200) return invalid(httpStatus, `status ${httpStatus}`);
  const { data: response } = responseSchema.safeParse(parseWithNumberTexts(text));
  if (response === undefined) return invalid(httpStatus, 'another body');
  const { error_code, balance, transaction_id } = response;
  if (error_code !== undefined) return errorResult(name, httpStatus, error_code);
  const micros = currency.read(balance);
  const isMove = name !== 'authenticate' && name !== 'balance';
  // A transaction of the wallet is certain, whatever it says of the balance.
  if (isMove && (transaction_id ?? '') === '') return invalid(httpStatus, 'no transaction_id');
  if (!isMove && micros === undefined) return invalid(httpStatus, 'no balance in whole micros');
  const player = name === 'authenticate' && { playerID: context.playerID, currency: context.currency };
  return {
    kind: 'accepted',
    httpStatus,
    body: { ...player, balance: micros, reference: walletReferenceOf(transaction_id) },
  } as AnyResult;
}
