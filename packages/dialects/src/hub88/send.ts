import { randomUUID } from 'node:crypto';
import { toMicros, type WalletErrorCode } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import type { WalletCurrencies, WalletCurrency } from '../money.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';

const PATHS = {
  authenticate: '/user/balance',
  balance: '/user/balance',
  debit: '/transaction/bet',
  credit: '/transaction/win',
  rollback: '/transaction/rollback',
} as const;
type SentCall = Extract<WalletCall, { name: keyof typeof PATHS }>;
type Wire = { currencies: WalletCurrencies; signatureOf(body: string): Promise<string> };

/** Makes one request of the wallet API v2, and reads its response. */
export async function send({ currencies, signatureOf }: Wire, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return { kind: 'lacking', httpStatus: undefined };
  const { playerID = '', currency: code = '' } = call.name === 'authenticate' ? call.context : call.body;
  const currency = currencies.ours(code);
  const fields = fieldsOf(call, currency);
  if (fields === undefined) return { kind: 'refused', code: 'ERR_VAL', httpStatus: 200, detail: 'not sent: amount' };
  // Hub88 gives its first response again to a known request_uuid, so each attempt has a new one.
  const requestUuid = randomUUID();
  const body = JSON.stringify({
    user: userOf(playerID),
    supplier_user: playerID,
    token: call.context.token,
    request_uuid: requestUuid,
    game_code: call.body.gameID,
    ...fields,
  });
  const headers = ['content-type', 'application/json', 'x-hub88-signature', await signatureOf(body)];
  return resultOf(call, { requestUuid, currency }, await post({ path: PATHS[call.name], headers, body }));
}

/** The server's name of a player is `<operator_id>/<user>`. */
export function userOf(playerID: string): string {
  return playerID.slice(playerID.indexOf('/') + 1);
}

/** Returns undefined when the scale cannot write the amount. */
function fieldsOf(call: SentCall, { code: currency, scale }: WalletCurrency): object | undefined {
  if (call.name === 'authenticate' || call.name === 'balance') return {};
  const { name, body, context } = call;
  const fields = {
    ...{ transaction_uuid: body.transactionID, round: body.roundID, currency },
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

const CODES: Readonly<Record<string, WalletErrorCode>> = {
  RS_ERROR_UNKNOWN: 'ERR_UE',
  RS_ERROR_INVALID_PARTNER: 'ERR_MAINTENANCE',
  RS_ERROR_INVALID_TOKEN: 'ERR_IS',
  RS_ERROR_INVALID_GAME: 'ERR_VAL',
  RS_ERROR_WRONG_CURRENCY: 'ERR_VAL',
  RS_ERROR_NOT_ENOUGH_MONEY: 'ERR_IPB',
  RS_ERROR_USER_DISABLED: 'ERR_IS',
  RS_ERROR_INVALID_SIGNATURE: 'ERR_GE',
  RS_ERROR_TOKEN_EXPIRED: 'ERR_ATE',
  RS_ERROR_WRONG_SYNTAX: 'ERR_VAL',
  RS_ERROR_WRONG_TYPES: 'ERR_VAL',
  RS_ERROR_DUPLICATE_TRANSACTION: 'ERR_DUP',
  RS_ERROR_TRANSACTION_DOES_NOT_EXIST: 'ERR_BNF',
  RS_ERROR_LIMIT_REACHED: 'ERR_GLE',
};
/** Hub88 wants a rollback of a bet after each other status but success. */
const CERTAIN_OF_BET = ['RS_ERROR_NOT_ENOUGH_MONEY', 'RS_ERROR_LIMIT_REACHED'];
/** The same content gets the same refusal again. */
const FINAL = ['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES', 'RS_ERROR_DUPLICATE_TRANSACTION'];

type Sent = { requestUuid: string; currency: WalletCurrency };
function resultOf({ name, context }: SentCall, { requestUuid, currency }: Sent, exchange: WalletExchange): AnyResult {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'failed') return { kind: 'uncertain', code: exchange.code, detail: exchange.detail };
  const { httpStatus, text } = exchange;
  const invalid = (detail: string) => ({ kind: 'uncertain', code: 'invalid_response', httpStatus, detail }) as const;
  if (httpStatus !== 200) return invalid(`status ${httpStatus}`);
  const parsed = responseSchema.safeParse(parseWithNumberTexts(text));
  if (!parsed.success) return invalid('another body');
  const { status, request_uuid: echo, currency: code, balance } = parsed.data;
  // A refusal of what Hub88 could not read may lack the request_uuid; it is never of money.
  const isMoney = status === 'RS_OK' || name === 'debit';
  if (echo !== requestUuid && (isMoney || echo !== undefined)) return invalid(`${status} of another request`);
  if (status === 'RS_OK') {
    const micros = currency.read(balance, currency.decimals);
    const isRead = name === 'authenticate' || name === 'balance';
    // The status is certain of the money, whatever the balance is.
    if (code !== currency.code || (isRead && micros === undefined)) return invalid('no balance of this currency');
    const player = name === 'authenticate' && { playerID: context.playerID, currency: currency.currency };
    return { kind: 'accepted', httpStatus, body: { ...player, balance: micros } } as AnyResult;
  }
  const refusal = Object.hasOwn(CODES, status) ? CODES[status] : undefined;
  if (refusal === undefined) return invalid(`status ${status}`);
  const isUncertain = refusal === 'ERR_UE' || (name === 'debit' && !CERTAIN_OF_BET.includes(status));
  if (isUncertain) return { kind: 'uncertain', code: refusal, httpStatus, detail: status };
  return { kind: 'refused', code: refusal, httpStatus, detail: status, final: FINAL.includes(status) };
}
