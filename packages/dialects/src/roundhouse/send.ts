import {
  isWalletErrorCode,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signCall,
  TIMESTAMP_HEADER,
  WALLET_ERRORS,
  type WalletRouteName,
  walletContract,
} from '@roundhouse/contract';
import { readDecimal } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import type * as z from 'zod';
import type { Post } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import { invalid, unanswered } from '../results.ts';
import type { AnyResult, WalletCall } from '../walletCall.ts';

const NOT_FOUND = 404;

/** Signs the call, and reads the response. */
export async function send(
  secret: string,
  { name, body: content, context }: WalletCall,
  post: Post,
): Promise<AnyResult> {
  const { path } = walletContract[name];
  const body = JSON.stringify(context.closesRound ? { ...content, roundClosed: true } : content);
  const signed = signCall(
    { direction: 'to-operator', method: 'POST', path, body },
    { secret, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  const headers = [
    'content-type',
    'application/json',
    TIMESTAMP_HEADER,
    signed[TIMESTAMP_HEADER],
    NONCE_HEADER,
    signed[NONCE_HEADER],
    SIGNATURE_HEADER,
    signed[SIGNATURE_HEADER],
  ];
  const result = resultOf(name, await post({ path, headers, body }));
  return 'currency' in content ? inCurrency(content.currency, result) : result;
}

/** A wallet that says another currency has not understood the request. */
function inCurrency(currency: string, result: AnyResult): AnyResult {
  if (result.kind !== 'accepted' || !('currency' in result.body)) return result;
  const named = result.body.currency;
  return named === undefined || named === currency ? result : invalid(result.httpStatus, 'another currency');
}

/**
 * Reads the response by the contract. Anything but the success or a refusal with a known code is
 * uncertain.
 */
export function resultOf<Name extends WalletRouteName>(name: Name, exchange: WalletExchange): AnyResult<Name>;
export function resultOf(name: WalletRouteName, exchange: WalletExchange): AnyResult {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  if (httpStatus === NOT_FOUND && name === 'closeRounds') return { kind: 'lacking', httpStatus };
  if (httpStatus >= 200 && httpStatus < 300) return successOf(name, { httpStatus, text });
  const body = parseJson(text);
  const code = (body as { error?: unknown } | null | undefined)?.error;
  if (!isWalletErrorCode(code) && httpStatus === NOT_FOUND && name === 'transactions')
    return { kind: 'lacking', httpStatus };
  if (!isWalletErrorCode(code)) return invalid(httpStatus, `status ${httpStatus} without a code`);
  return { kind: WALLET_ERRORS[code].certain ? 'refused' : 'uncertain', code, httpStatus };
}

const MOVES: readonly WalletRouteName[] = ['debit', 'credit', 'rollback'];

function successOf(name: WalletRouteName, { httpStatus, text }: { httpStatus: number; text: string }): AnyResult {
  const schema: z.ZodType = walletContract[name].responses[200];
  const accepted = (body: unknown) => ({ kind: 'accepted', httpStatus, body }) as AnyResult;
  // Nearly every response has whole micros.
  const exact = schema.safeParse(parseJson(text));
  if (exact.success) return accepted(exact.data);
  const meant = parseJson(text, meantMicros);
  const parsed = schema.safeParse(meant);
  if (parsed.success) return accepted(parsed.data);
  const { balance } = { ...(meant as object) } as { balance?: unknown };
  // The money is certain, whatever number the balance is.
  const isMoved = MOVES.includes(name) && typeof balance === 'number';
  const moved = isMoved ? schema.safeParse({ ...(meant as object), balance: 0 }) : parsed;
  if (moved.success) return accepted({ ...(moved.data as object), balance: undefined });
  return invalid(httpStatus, `status ${httpStatus} with another body`);
}

/** These members of a response are micros. */
const AMOUNTS = ['balance', 'amount', 'maxStake', 'dailyWager', 'dailyLoss'];

/** The result of a calculation in binary fractions becomes the micros that were meant. */
function meantMicros(member: string, value: unknown): unknown {
  if (typeof value !== 'number' || !AMOUNTS.includes(member)) return value;
  const micros = readDecimal(String(value), 0);
  return micros === undefined ? value : Number(micros);
}
