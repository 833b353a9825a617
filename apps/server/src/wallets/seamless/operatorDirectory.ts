import { LRUCache } from 'lru-cache';
import type { Database } from '../../ledger/database.ts';
import { findWalletOperator, type WalletOperator } from '../../ledger/queries/walletOperator.ts';

/** A change of an operator's settings (an address, a secret) takes effect on every node within this time. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 1_000;

export type OperatorDirectory = {
  /** Throws when there is no such operator: a player or a call names it. */
  find(operatorID: number): Promise<WalletOperator>;
};

export function createOperatorDirectory(db: Database): OperatorDirectory {
  const remembered = new LRUCache<number, WalletOperator>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return {
    async find(operatorID) {
      const known = remembered.get(operatorID);
      if (known !== undefined) return known;
      const operator = await findWalletOperator(db, { operatorID });
      if (operator === undefined) throw new Error(`operator ${operatorID} has no wallet of its own`);
      remembered.set(operatorID, operator);
      return operator;
    },
  };
}
