import type { Database } from '../../store/database/database.ts';
import { findOperatorID } from '../../store/operators/operators.ts';
import type { Caller } from '../access/caller.ts';

/** Returns the code by which a list is filtered: a user of an operator sees that operator only. */
export function ownOperator({ operator }: Caller, wanted: string | undefined): string | undefined {
  return operator?.code ?? wanted;
}

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

/** Returns whether a path names an operator that is not the one of the user. */
export function isOther({ operator }: Caller, code: string): boolean {
  return operator !== undefined && operator.code !== code;
}

/**
 * Returns the operator that a path names. It is undefined when there is none of this code, and the
 * same for a user of another operator.
 */
export async function operatorOfPath(db: Database, caller: Caller, code: string): Promise<number | undefined> {
  if (isOther(caller, code)) return undefined;
  return caller.operator?.operatorID ?? findOperatorID(db, code);
}
