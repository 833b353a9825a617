import { type CloseRoundsRequest, type CloseRoundsResponse, toMicros } from '@roundhouse/contract';
import { credit } from './credit.ts';
import type { WalletDeps } from './session.ts';

/** Closes losing rounds: each closing is the credit of 0 with its id, and has a result of its own. */
export async function closeRounds(
  deps: Pick<WalletDeps, 'ledger'>,
  { rounds }: CloseRoundsRequest,
): Promise<CloseRoundsResponse['results']> {
  const results: CloseRoundsResponse['results'] = [];
  for (const closing of rounds) {
    const { transactionID } = closing;
    const outcome = await credit(deps, { ...closing, amount: toMicros(0), roundClosed: true });
    results.push(outcome.ok ? { transactionID } : { transactionID, error: outcome.code, message: outcome.message });
  }
  return results;
}
