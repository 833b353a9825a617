import { setTimeout } from 'node:timers/promises';
import type { TransactionListResponse } from '@roundhouse/contract';
import type { WalletOperator } from '../ledger/queries/operators.ts';
import { resultText } from '../ledger/walletTransaction.ts';
import type { WalletClient } from '../wallets/seamless/walletClient.ts';
import { storedResult, type WalletRequest } from '../wallets/seamless/walletResult.ts';

/**
 * not_offered: the operator has no such list. unreadable: its response is no page of a list; `why`
 * is for a person.
 */
export type ListRefusal = { kind: 'not_offered' } | { kind: 'unreadable'; why: string };
export type ListPage = { ok: true; page: TransactionListResponse } | { ok: false; refusal: ListRefusal };

/** A page of transactions is more work than a bet, and no player waits for it. */
const MIN_TIMEOUT_MS = 30_000;
/** Reading moves no money, so a failed request is repeated after these pauses. */
const PAUSES_MS = [500, 2_000];
const NOT_FOUND = 404;

/** Reads one page of the operator's list. */
export async function readListPage(
  client: WalletClient,
  operator: WalletOperator,
  body: WalletRequest<'transactions'>,
): Promise<ListPage> {
  const patient = { ...operator, timeoutMs: Math.max(operator.timeoutMs, MIN_TIMEOUT_MS) };
  for (let attempt = 0; ; attempt += 1) {
    const result = await client.send(patient, 'transactions', body);
    if (result.kind === 'accepted') return { ok: true, page: result.body };
    if (result.kind === 'refused') return unreadable(result.code);
    if (result.kind === 'uncertain' && result.httpStatus === NOT_FOUND) {
      return { ok: false, refusal: { kind: 'not_offered' } };
    }
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) return unreadable(resultText(storedResult(result)) ?? result.kind);
    await setTimeout(pauseMs);
  }
}

export function unreadable(why: string): { ok: false; refusal: ListRefusal } {
  return { ok: false, refusal: { kind: 'unreadable', why } };
}
