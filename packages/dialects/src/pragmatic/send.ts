import { type Micros, playerIDSchema, toMicros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import { decimalText, readTotal, type WalletCurrency } from '../money.ts';
import { type Failure, invalid, LACKING, NOT_MOVABLE, unanswered, walletReferenceOf } from '../results.ts';
import type { AnyResult, SentCall, WalletCall } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';
import { type Form, writeForm } from './signature.ts';

/** The hash and the provider are added when it is sent. */
type WalletApiCall = [method: 'authenticate' | 'balance' | 'bet' | 'result' | 'endRound' | 'refund', params: Form];

const HEADERS = ['content-type', 'application/x-www-form-urlencoded'];

/** Sends the requests of a call in turn. It ends with the first that is not a success. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const { secret, providerId } = connection.settings;
  const requests = requestsOf(connection, call);
  if (requests === undefined) return NOT_MOVABLE;
  let last: Answer | undefined;
  for (const [method, params] of requests) {
    const body = writeForm({ ...params, providerId }, secret);
    const read = readAnswer(await post({ path: `/${method}.html`, headers: HEADERS, body }), method);
    if ('kind' in read) return last === undefined ? read : afterMoney(read);
    // The end of a round may come without a balance.
    last = { ...last, ...read };
  }
  return accepted(connection, call, last as Answer);
}

/** undefined: the currency has no such amount. */
function requestsOf(
  { settings, currency }: Connection,
  { name, body, context }: SentCall,
): WalletApiCall[] | undefined {
  if (name === 'authenticate') return [['authenticate', { token: context.token }]];
  const player = { userId: body.playerID, token: settings.sendsToken ? context.token : undefined };
  if (name === 'balance') return [['balance', player]];
  const round = { ...player, gameId: body.gameID, roundId: body.roundID };
  const moved = toMicros(name === 'rollback' ? (context.amount ?? 0) : body.amount);
  const amount = amountText(moved, currency(body.currency));
  if (amount === undefined) return undefined;
  const timestamp = String((context.storedAt ?? new Date()).getTime());
  const details = { ...round, amount, timestamp, roundDetails: 'spin' };
  if (name === 'rollback') {
    const reference = referenceOf(body.debitTransactionID);
    return [['refund', { ...(settings.refundDetails ? details : player), reference }]];
  }
  const params = { ...details, reference: referenceOf(body.transactionID), bonusCode: body.grantID };
  if (name === 'debit') return [['bet', params]];
  const result: WalletApiCall[] = [['result', params]];
  if (!settings.endRound) return result;
  return [...(moved === 0 ? [] : result), ['endRound', round]];
}

const LEAST_DECIMALS = 2;

/** Some wallets take "0" for a missing value, so each amount has two decimals or more. */
function amountText(micros: Micros, { scale, decimals }: WalletCurrency): string | undefined {
  const value = scale.write(micros);
  const more = Math.max(0, LEAST_DECIMALS - decimals);
  return value === undefined ? undefined : decimalText(value * 10n ** BigInt(more), decimals + more);
}

/** Our transaction ids as the wallet gets them: operators keep 32 characters rather than 36. */
function referenceOf(transactionID: string): string {
  return transactionID.replaceAll('-', '');
}

/** Numbers are texts, as the response has them. */
const answerSchema = z.object({
  error: z.string(),
  cash: z.unknown().optional(),
  bonus: z.unknown().optional(),
  currency: z.string().optional(),
  userId: z.string().optional(),
  transactionId: z.unknown().optional(),
});
type Answer = z.output<typeof answerSchema>;

function readAnswer(exchange: WalletExchange, method: string): Answer | Failure {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  const answer = answerSchema.safeParse(parseWithNumberTexts(text));
  if (httpStatus !== 200 || !answer.success) return invalid(200, `${method}: status ${httpStatus}, or no error code`);
  return answer.data.error === '0' ? answer.data : errorResult(method, httpStatus, answer.data.error);
}

/** A request of the same call has moved money before, so only a final error is certain. */
function afterMoney(failure: Failure): Failure {
  if (failure.kind === 'uncertain' || (failure.kind === 'refused' && failure.final)) return failure;
  return { kind: 'uncertain', code: 'ERR_UE', ...(failure.detail !== undefined && { detail: failure.detail }) };
}

function accepted(connection: Connection, { name, body, context }: SentCall, answer: Answer): AnyResult {
  const currency = name === 'authenticate' ? context.currency : body.currency;
  const named = connection.currencyByCode(answer.currency)?.currency;
  const isNamed = answer.currency !== undefined || name === 'authenticate';
  if (currency === undefined || (isNamed && named !== currency)) return invalid(200, 'the currency is another one');
  const balance = readTotal(connection.currency(currency), answer.cash, answer.bonus ?? '0');
  // The error code is certain of the money, whatever the balance is.
  const isMove = name !== 'authenticate' && name !== 'balance';
  if (balance === undefined && !isMove) return invalid(200, 'the balance is missing, or no whole number of micros');
  const reference = walletReferenceOf(answer.transactionId);
  if (name !== 'authenticate') return { kind: 'accepted', httpStatus: 200, body: { balance, reference } } as AnyResult;
  const playerID = playerIDSchema.safeParse(answer.userId);
  if (!playerID.success) return invalid(200, 'the player is missing');
  return { kind: 'accepted', httpStatus: 200, body: { playerID: playerID.data, currency, balance } } as AnyResult;
}
