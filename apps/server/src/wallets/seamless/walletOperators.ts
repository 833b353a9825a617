import { LRUCache } from 'lru-cache';
import type { Database } from '../../ledger/database.ts';
import { findWalletOperator, type WalletOperator } from '../../ledger/queries/operators.ts';

/**
 * A change of an operator's settings (an address, a secret) takes effect on every node within this
 * time.
 */
const CACHED_MS = 1_000;
const MAX_CACHED = 1_000;

export type WalletOperators = {
  /** @throws Error when there is no such operator: a player or a wallet transaction names it. */
  find(operatorID: number): Promise<WalletOperator>;
};

export function createWalletOperators(db: Database): WalletOperators {
  const cache = new LRUCache<number, WalletOperator>({ max: MAX_CACHED, ttl: CACHED_MS });
  return {
    async find(operatorID) {
      const cached = cache.get(operatorID);
      if (cached !== undefined) return cached;
      const operator = await findWalletOperator(db, { operatorID });
      if (operator === undefined) throw new Error(`operator ${operatorID} has no wallet of its own`);
      cache.set(operatorID, operator);
      return operator;
    },
  };
}
