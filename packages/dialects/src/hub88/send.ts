import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import type { WalletCurrency } from '../money.ts';
import { invalid, LACKING, NOT_MOVABLE, unanswered } from '../results.ts';
import type { AnyResult, SentCall, WalletCall } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';
import { SIGNATURE_HEADER } from './signature.ts';

const PATHS = {
  authenticate: '/user/balance',
  balance: '/user/balance',
  debit: '/transaction/bet',
  credit: '/transaction/win',
  rollback: '/transaction/rollback',
} as const;

/** Makes one request of the wallet API v2, and reads its response. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const { playerID = '', currency: code = '' } = call.name === 'authenticate' ? call.context : call.body;
  const currency = connection.currency(code);
  const fields = fieldsOf(call, currency);
  if (fields === undefined) return NOT_MOVABLE;
  // Hub88 gives its first response again to a known request_uuid, so each attempt has a new one.
  const requestUuid = randomUUID();
  const body = JSON.stringify({
    user: connection.userOf(playerID),
    supplier_user: playerID,
    token: call.context.token,
    request_uuid: requestUuid,
    game_code: call.body.gameID,
    ...fields,
  });
  const headers = ['content-type', 'application/json', SIGNATURE_HEADER, await connection.signatureOf(body)];
  return resultOf(call, { requestUuid, currency }, await post({ path: PATHS[call.name], headers, body }));
}

/** Returns undefined when the scale cannot write the amount. */
function fieldsOf(call: SentCall, { code: currency, scale }: WalletCurrency): object | undefined {
  if (call.name === 'authenticate' || call.name === 'balance') return {};
  const { name, body, context } = call;
  const fields = {
    transaction_uuid: body.transactionID,
    round: body.roundID,
    currency,
    ...('debitTransactionID' in body && { reference_transaction_uuid: body.debitTransactionID }),
    round_closed: name !== 'debit' || context.closesRound === true,
  };
  if (name === 'rollback') return fields;
  const amount = scale.write(toMicros(body.amount));
  if (amount === undefined) return undefined;
  const free = body.grantID === undefined ? { is_free: false } : { is_free: true, reward_uuid: body.grantID };
  return { ...fields, amount: Number(amount), ...free };
}

/** Numbers are texts, as the response has them. */
const responseSchema = z.object({
  status: z.string(),
  request_uuid: z.string().optional(),
  currency: z.string().optional(),
  balance: z.unknown().optional(),
});

type Sent = { requestUuid: string; currency: WalletCurrency };

function resultOf({ name, context }: SentCall, { requestUuid, currency }: Sent, exchange: WalletExchange): AnyResult {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  if (httpStatus !== 200) return invalid(httpStatus, `status ${httpStatus}`);
  const parsed = responseSchema.safeParse(parseWithNumberTexts(text));
  if (!parsed.success) return invalid(httpStatus, 'another body');
  const { status, request_uuid: echo, currency: code, balance } = parsed.data;
  // A refusal of what Hub88 could not read may lack the request_uuid; it is never of money.
  const isMoney = status === 'RS_OK' || name === 'debit';
  if (echo !== requestUuid && (isMoney || echo !== undefined))
    return invalid(httpStatus, `${status} of another request`);
  if (status !== 'RS_OK') return errorResult(name, httpStatus, status);
  const micros = currency.read(balance, currency.decimals);
  const isRead = name === 'authenticate' || name === 'balance';
  // The status is certain of the money, whatever the balance is.
  if (code !== currency.code || (isRead && micros === undefined))
    return invalid(httpStatus, 'no balance of this currency');
  const player = name === 'authenticate' && { playerID: context.playerID, currency: currency.currency };
  return { kind: 'accepted', httpStatus, body: { ...player, balance: micros } } as AnyResult;
}
