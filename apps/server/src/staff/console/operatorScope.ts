import type { Response } from 'express';
import type { Database } from '../../store/database/database.ts';
import { findOperatorID } from '../../store/operators/operators.ts';
import { callerOf } from './guard.ts';

type OperatorScope = { operatorID: number; operatorCode: string };

/** The operator whose data a request reaches; both are undefined when it reaches everyone's. */
export type Scope = OperatorScope | { operatorID: undefined; operatorCode: undefined };

/**
 * Returns what the user of a request reaches. Every handler starts from it. A list that is filtered
 * by code takes its default: `const { operatorCode = operator } = scopeOf(res)`.
 */
export function scopeOf(res: Response): Scope {
  const { operator } = callerOf(res);
  if (operator === undefined) return { operatorID: undefined, operatorCode: undefined };
  return { operatorID: operator.operatorID, operatorCode: operator.code };
}

/**
 * Narrows the scope by the filter of a list; undefined when no operator has this code. A user of an
 * operator always gets their own: a filter reveals nothing.
 */
export async function filteredScope(db: Database, res: Response, code: string | undefined): Promise<Scope | undefined> {
  const scope = scopeOf(res);
  if (scope.operatorID !== undefined || code === undefined) return scope;
  const operatorID = await findOperatorID(db, code);
  return operatorID === undefined ? undefined : { operatorID, operatorCode: code };
}

/**
 * Narrows the scope to the operator that a path names. A user of another operator gets the same
 * response as for an unknown code: undefined.
 */
export async function pathScope(db: Database, res: Response, code: string): Promise<OperatorScope | undefined> {
  const { operatorCode = code, operatorID = await findOperatorID(db, code) } = scopeOf(res);
  return operatorCode === code && operatorID !== undefined ? { operatorID, operatorCode } : undefined;
}
