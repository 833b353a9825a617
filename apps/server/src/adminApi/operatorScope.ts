import type { Database } from '../ledger/database.ts';
import { findOperatorID } from '../ledger/queries/operators.ts';
import type { Caller } from './access/caller.ts';

/**
 * Returns the operator to which a list is narrowed, `all` for every one, and undefined when there is
 * none of this code. A user of an operator always gets their own: a filter reveals nothing.
 */
export async function operatorOfFilter(
  db: Database,
  { operator }: Caller,
  code: string | undefined,
): Promise<number | 'all' | undefined> {
  if (operator !== undefined) return operator.operatorID;
  return code === undefined ? 'all' : findOperatorID(db, code);
}

/**
 * Returns the operator that a path names; undefined when there is none of this code, or when it is
 * not the one of the user: the two look the same.
 */
export async function operatorOfPath(db: Database, { operator }: Caller, code: string): Promise<number | undefined> {
  if (operator === undefined) return findOperatorID(db, code);
  return operator.code === code ? operator.operatorID : undefined;
}
