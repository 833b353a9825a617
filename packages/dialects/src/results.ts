import { type WalletErrorCode, walletReferenceSchema } from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import type { WalletResult } from './walletCall.ts';

export type Failure = Exclude<WalletResult, { kind: 'accepted' }>;

/** The wallet has no such request. */
export const LACKING = { kind: 'lacking', httpStatus: undefined } as const;

/**
 * No scale of the wallet can write the amount, so the request is not sent. A bet is void then. No
 * attempt of a credit or rollback would be sent either, so a person settles it, or retries it when
 * the settings are right.
 */
export const NOT_MOVABLE: Failure = { ...refusedUnsent('ERR_VAL', 'the wallet cannot move the amount'), final: true };

/** The dialect refuses the call, so no request is made: certainly no money moved. */
export function refusedUnsent(code: WalletErrorCode, why: string): Extract<Failure, { kind: 'refused' }> {
  return { kind: 'refused', code, detail: `not sent: ${why}` };
}

/** Reads a request without a response. */
export function unanswered(exchange: Exclude<WalletExchange, { kind: 'responded' }>): Failure {
  if (exchange.kind === 'not_sent') return exchange;
  return { kind: 'uncertain', code: exchange.code, detail: exchange.detail };
}

/** The response is neither a success of the protocol nor a refusal with a known code. */
export function invalid(httpStatus: number, detail: string): Failure {
  return { kind: 'uncertain', code: 'invalid_response', httpStatus, detail };
}

/** Returns the wallet's id of a transaction, where the response has one that people can read. */
export function walletReferenceOf(id: unknown): string | undefined {
  return walletReferenceSchema.parse(id);
}

const MAX_DETAIL_CHARACTERS = 60;

/** The text of a wallet, as short as a log needs it. */
export function detailOf(text: string): string {
  return text.slice(0, MAX_DETAIL_CHARACTERS);
}

/** Finds what an error code of the wallet means. The table has the wallet's codes by ours. */
export function meaningsOf(
  table: Partial<Record<WalletErrorCode, readonly string[]>>,
): ReadonlyMap<string, WalletErrorCode> {
  return new Map(Object.entries(table).flatMap(([code, all]) => all.map((each) => [each, code as WalletErrorCode])));
}
