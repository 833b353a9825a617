import type { BalanceResponse } from '@roundhouse/contract/light';
import type { Core } from './core.ts';

/** Reads the balance, and believes it unless it was overtaken. */
export async function readBalance(
  { store, wire, balanceOrder }: Core,
  retrying: { maxRetries?: number } = {},
): Promise<BalanceResponse> {
  const isNews = balanceOrder.reads();
  const answer = await wire.call({ name: 'balance', body: {}, ...retrying });
  if (isNews()) store.update({ balance: answer.balance });
  return answer;
}
