import { type Micros, playerIDSchema, toMicros, type WalletErrorCode } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import * as z from 'zod';
import type { Post } from '../dialect.ts';
import { decimalText, readTotal, type WalletCurrency } from '../money.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';
import type { Connection } from './settings.ts';
import { type Form, writeForm } from './signature.ts';

type Call = Exclude<WalletCall, { name: 'closeRounds' | 'transactions' }>;
type Failure = Exclude<AnyResult<'credit'>, { kind: 'accepted' }>;
/** A request to the wallet, without its hash and provider. */
type WalletApiCall = [method: 'authenticate' | 'balance' | 'bet' | 'result' | 'endRound' | 'refund', params: Form];

/** Numbers are texts, as the response has them. */
const answerSchema = z.object({
  error: z.string(),
  cash: z.unknown().optional(),
  bonus: z.unknown().optional(),
  currency: z.string().optional(),
  userId: z.string().optional(),
});
type Answer = z.output<typeof answerSchema>;
const HEADERS = ['content-type', 'application/x-www-form-urlencoded'];

/** Sends the requests of a call in turn. It ends with the first that is not a success. */
export async function sendCall(connection: Connection, { call, post }: { call: WalletCall; post: Post }) {
  if (call.name === 'closeRounds' || call.name === 'transactions')
    return { kind: 'lacking', httpStatus: undefined } as const;
  const { secret, providerId } = connection.settings;
  const requests = requestsOf(connection, call);
  if (requests === undefined) return { kind: 'refused', code: 'ERR_VAL', httpStatus: 200, final: true } as const;
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
function requestsOf({ settings, currency }: Connection, { name, body, context }: Call): WalletApiCall[] | undefined {
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

function readAnswer(exchange: WalletExchange, method: string): Answer | Failure {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'failed') return { kind: 'uncertain', code: exchange.code, detail: exchange.detail };
  const { httpStatus, text } = exchange;
  const answer = answerSchema.safeParse(parseWithNumberTexts(text));
  if (httpStatus !== 200 || !answer.success) return invalid(`${method}: status ${httpStatus}, or no error code`);
  return answer.data.error === '0' ? answer.data : meaningOf(answer.data.error, method);
}

/** The wallet checks these before it moves money. */
const REFUSALS: ReadonlyMap<string, WalletErrorCode> = new Map<string, WalletErrorCode>(
  Object.entries({
    ...({ 1: 'ERR_IPB', 2: 'ERR_IS', 3: 'ERR_GLE', 4: 'ERR_ATE', 5: 'ERR_GE' } as const),
    ...({ 6: 'ERR_GLE', 7: 'ERR_VAL', 8: 'ERR_GE', 50: 'ERR_GLE', 310: 'ERR_GLE' } as const),
  }),
);

function meaningOf(error: string, method: string): Failure {
  const answered = { httpStatus: 200, detail: `${method}: error ${error}`.slice(0, 60) };
  const code = REFUSALS.get(error);
  if (code !== undefined) return { kind: 'refused', code, ...answered };
  // A bet may have failed after it moved money, so it is refunded. Nothing else is repeated.
  if (error === '120' && method !== 'bet') return { kind: 'refused', code: 'ERR_GE', final: true, ...answered };
  return { kind: 'uncertain', code: 'ERR_UE', ...answered };
}

/** A request of the same call has moved money before, so only a final error is certain. */
function afterMoney(failure: Failure): Failure {
  if (failure.kind === 'uncertain' || (failure.kind === 'refused' && failure.final)) return failure;
  return { kind: 'uncertain', code: 'ERR_UE', ...(failure.detail !== undefined && { detail: failure.detail }) };
}

function accepted(connection: Connection, { name, body, context }: Call, answer: Answer): AnyResult {
  const currency = name === 'authenticate' ? context.currency : body.currency;
  const named = connection.currencyByCode(answer.currency)?.currency;
  const isNamed = answer.currency !== undefined || name === 'authenticate';
  if (currency === undefined || (isNamed && named !== currency)) return invalid('the currency is another one');
  const balance = readTotal(connection.currency(currency), answer.cash, answer.bonus ?? '0');
  // The error code is certain of the money, whatever the balance is.
  const isMove = name !== 'authenticate' && name !== 'balance';
  if (balance === undefined && !isMove) return invalid('the balance is missing, or no whole number of micros');
  if (name !== 'authenticate') return { kind: 'accepted', httpStatus: 200, body: { balance } } as AnyResult;
  const playerID = playerIDSchema.safeParse(answer.userId);
  if (!playerID.success) return invalid('the player is missing');
  return { kind: 'accepted', httpStatus: 200, body: { playerID: playerID.data, currency, balance } } as AnyResult;
}

function invalid(detail: string): Failure {
  return { kind: 'uncertain', code: 'invalid_response', httpStatus: 200, detail };
}
