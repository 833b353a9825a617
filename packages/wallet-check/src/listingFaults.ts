import type { WalletTransaction } from '@roundhouse/contract';
import type { SentMovement } from './sentMovements.ts';
import { CheckFailure } from './verdicts.ts';

const COMPARED = ['roundID', 'playerID', 'currency', 'debitTransactionID'] as const;

/** What is wrong with how the wallet lists a movement; undefined when nothing is. `sent`: all movements of the run. */
export function listingFault(
  movement: SentMovement,
  { listed, sent }: { listed: readonly WalletTransaction[]; sent: readonly SentMovement[] },
): string | undefined {
  const [entry] = listed;
  const expected = expectedAmount(movement, sent);
  if (listed.length > 1) return `listed ${listed.length} times`;
  if (movement.outcome === 'uncertain') return undefined;
  if (entry === undefined) return expected === undefined ? undefined : 'not listed';
  if (entry.amount !== (expected ?? 0)) return `listed with ${entry.amount} micros, it moved ${expected ?? 0}`;
  if (expected === undefined) return undefined;
  if (entry.kind !== movement.kind) return `listed as a ${entry.kind}`;
  const other = COMPARED.find((name) => entry[name] !== movement.body[name] && movement.body[name] !== undefined);
  return (
    other && `listed with ${other} ${JSON.stringify(entry[other])}, it was ${JSON.stringify(movement.body[other])}`
  );
}

/** In micros; undefined for what moved nothing and need not be listed. */
function expectedAmount(movement: SentMovement, sent: readonly SentMovement[]): number | undefined {
  if (movement.outcome !== 'accepted') return undefined;
  if (movement.kind !== 'rollback') return movement.body.amount as number;
  const { debitTransactionID } = movement.body;
  const accepted = sent.filter(({ outcome }) => outcome === 'accepted');
  const first = accepted.find(
    ({ kind, body }) => kind === 'rollback' && body.debitTransactionID === debitTransactionID,
  );
  // A second rollback of the same debit has given nothing back.
  if (first !== movement) return undefined;
  return accepted.find(({ transactionID }) => transactionID === debitTransactionID)?.body.amount as number | undefined;
}

/** No movement is earlier than the one before it. Those of one instant may stand in any order. */
export function expectRising(movements: readonly WalletTransaction[], what: string): void {
  const atMs = movements.map(({ at }) => Date.parse(at));
  const fall = atMs.findIndex((ms, index) => index > 0 && ms < (atMs[index - 1] ?? ms));
  if (fall === -1) return;
  const [earlier, later] = [movements[fall - 1], movements[fall]];
  throw new CheckFailure(
    `in ${what} ${later?.transactionID} (${later?.at}) comes after ${earlier?.transactionID} (${earlier?.at})`,
  );
}
