import { setTimeout } from 'node:timers/promises';
import type { TransactionListResponse } from '@roundhouse/contract';
import type { WalletOperator } from '../ledger/queries/walletOperator.ts';
import type { WalletClient, WalletRequest } from '../wallets/seamless/walletClient.ts';

/** not_offered: the operator has no such list. unreadable: it has not answered with a page of it. */
export type ListFault = { kind: 'not_offered' } | { kind: 'unreadable'; why: string };
export type ListPage = { ok: true; page: TransactionListResponse } | { ok: false; fault: ListFault };

/** A page of movements is more work than a bet, and nobody waits at a game for it. */
const LEAST_TIMEOUT_MS = 30_000;
/** Reading moves nothing, so what was lost on the way is asked again after these pauses. */
const PAUSES_MS = [500, 2_000];

export async function readListPage(
  client: WalletClient,
  operator: WalletOperator,
  body: WalletRequest<'transactions'>,
): Promise<ListPage> {
  const patient = { ...operator, timeoutMs: Math.max(operator.timeoutMs, LEAST_TIMEOUT_MS) };
  for (let attempt = 0; ; attempt += 1) {
    const answer = await client.call(patient, 'transactions', body);
    if (answer.kind === 'accepted') return { ok: true, page: answer.body };
    if (answer.kind === 'refused') return unreadable(answer.code);
    const why = answer.kind === 'uncertain' ? answer.why : 'it is not asked now';
    // The words of the wallet client for a path that is not there.
    if (why.startsWith('status 404 ')) return { ok: false, fault: { kind: 'not_offered' } };
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) return unreadable(why);
    await setTimeout(pauseMs);
  }
}

export function unreadable(why: string): { ok: false; fault: ListFault } {
  return { ok: false, fault: { kind: 'unreadable', why } };
}
