import type { WalletErrorCode, WalletRouteName } from '@roundhouse/contract';
import { isWalletErrorCode, WALLET_ERRORS } from '@roundhouse/contract';

/** A call as it was sent. */
type SentCall = {
  route: WalletRouteName;
  method: string;
  path: string;
  /** How it was signed, in words: the headers themselves would be good for 300 s in the hands of whoever reads a report. */
  signed: string;
  body: string;
  /** Sent at the same moment as others, so nothing says which of them came first. */
  atOnce?: true;
};

/** What came back, as it came: status and raw body, or why nothing came. */
export type Answer = { came: true; status: number; body: string } | { came: false; why: string };

export type Exchange = { call: SentCall; answer: Answer };

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of a JSON object; undefined for every other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The members of a success: status 200 and a JSON object that names no error. Undefined when it is not one. */
export function successOf({ answer }: Exchange): Readonly<Record<string, unknown>> | undefined {
  if (!answer.came || answer.status !== 200) return undefined;
  const members = parseObject(answer.body);
  return members === undefined || 'error' in members ? undefined : members;
}

/** The code of a refusal: a status of 400 or above with one of the contract's codes. */
export function refusalOf({ answer }: Exchange): WalletErrorCode | undefined {
  if (!answer.came || answer.status < 400) return undefined;
  const code = parseObject(answer.body)?.error;
  return isWalletErrorCode(code) ? code : undefined;
}

/** A refusal after which it is sure that no money moved. */
export function isCertainRefusal(exchange: Exchange): boolean {
  const code = refusalOf(exchange);
  return code !== undefined && WALLET_ERRORS[code].certain;
}
