import { setTimeout } from 'node:timers/promises';
import type { TransactionListResponse } from '@roundhouse/contract';
import type { WalletRequest } from '@roundhouse/dialects';
import type { WalletClient } from '../../rounds/wallets/seamless/walletClient.ts';
import { storedResult } from '../../rounds/wallets/seamless/walletResult.ts';
import type { WalletOperator } from '../../store/operators/operators.ts';
import { resultText } from '../../store/rounds/walletTransaction.ts';
import { type ListPage, type OperatorList, unreadable } from './operatorList.ts';

/**
 * The time-out is at least this. A page of transactions is more work than a bet, and no player
 * waits for it.
 */
const MIN_TIMEOUT_MS = 30_000;
/** Reading moves no money, so a failed request is repeated after these pauses. */
const PAUSES_MS = [500, 2_000];

/** Reads the list from the operator's wallet: `/transactions`. */
export function walletList(client: WalletClient, operator: WalletOperator): OperatorList {
  return {
    isExport: false,
    async *read({ from, to }) {
      const window = { from: from.toISOString(), to: to.toISOString() };
      let cursor: string | null = null;
      do {
        const read = await readPage(client, operator, cursor === null ? window : { ...window, cursor });
        if (!read.ok) return yield read;
        const { transactions, cursor: next }: TransactionListResponse = read.page;
        yield { ok: true, transactions };
        if (next !== null && next === cursor)
          return yield unreadable('a page of its list names itself as the next one');
        cursor = next;
      } while (cursor !== null);
    },
  };
}

async function readPage(
  client: WalletClient,
  operator: WalletOperator,
  body: WalletRequest<'transactions'>,
): Promise<{ ok: true; page: TransactionListResponse } | (ListPage & { ok: false })> {
  const withLongTimeout = { ...operator, timeoutMs: Math.max(operator.timeoutMs, MIN_TIMEOUT_MS) };
  for (let attempt = 0; ; attempt += 1) {
    const result = await client.send(withLongTimeout, 'transactions', body);
    if (result.kind === 'accepted') return { ok: true, page: result.body };
    if (result.kind === 'refused') return unreadable(result.code);
    if (result.kind === 'lacking') return { ok: false, refusal: { kind: 'not_offered' } };
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) return unreadable(resultText(storedResult(result)) ?? result.kind);
    await setTimeout(pauseMs);
  }
}
