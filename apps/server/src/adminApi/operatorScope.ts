import type { Database } from '../ledger/database.ts';
import { findOperatorID } from '../ledger/queries/operators.ts';
import type { Caller } from './access/caller.ts';

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

/**
 * Returns the operator that a path names. It is undefined when there is none of this code, and the
 * same for a user of another operator.
 */
export async function findOperator(
  db: Database,
  { operator }: Caller,
  code: string,
): Promise<{ operatorID: number; operatorCode: string } | undefined> {
  if (operator !== undefined)
    return operator.code === code ? { operatorID: operator.operatorID, operatorCode: code } : undefined;
  const operatorID = await findOperatorID(db, code);
  return operatorID === undefined ? undefined : { operatorID, operatorCode: code };
}

/** Returns what `findOperator` does, without the code. */
export async function operatorOfPath(db: Database, caller: Caller, code: string): Promise<number | undefined> {
  return (await findOperator(db, caller, code))?.operatorID;
}
