import { LRUCache } from 'lru-cache';
import type { WalletOperator } from '../../../store/operators/operators.ts';

/**
 * Time in milliseconds within which a change of an operator's settings (an address, a secret) takes
 * effect on every node.
 */
const CACHED_MS = 1_000;
/** Settings older than this are read again while they are used, so no player waits for them. */
const FRESH_MS = 500;
const MAX_CACHED = 1_000;

export type WalletOperators = {
  /**
   * @throws Error when there is no such operator, although a player or a wallet transaction names
   * it.
   */
  find(operatorID: number): Promise<WalletOperator>;
};

/** `read` is called once at a time for each operator. */
export function createWalletOperators(
  read: (operatorID: number) => Promise<WalletOperator | undefined>,
): WalletOperators {
  const known = new LRUCache<number, { operator: WalletOperator; readMs: number }>({ max: MAX_CACHED });
  const reading = new Map<number, Promise<WalletOperator>>();

  async function readNow(operatorID: number): Promise<WalletOperator> {
    const readMs = performance.now();
    const operator = await read(operatorID);
    if (operator === undefined) throw new Error(`operator ${operatorID} has no wallet`);
    known.set(operatorID, { operator, readMs });
    return operator;
  }

  function refresh(operatorID: number): Promise<WalletOperator> {
    const under = reading.get(operatorID);
    if (under !== undefined) return under;
    const now = readNow(operatorID).finally(() => reading.delete(operatorID));
    reading.set(operatorID, now);
    return now;
  }

  return {
    async find(operatorID) {
      const cached = known.get(operatorID);
      const ageMs = performance.now() - (cached?.readMs ?? -Infinity);
      if (cached !== undefined && ageMs < FRESH_MS) return cached.operator;
      const refreshed = refresh(operatorID);
      if (cached === undefined || ageMs >= CACHED_MS) return refreshed;
      // If this read fails, the next caller reads again; after CACHED_MS it gets the error.
      refreshed.catch(() => {});
      return cached.operator;
    },
  };
}
