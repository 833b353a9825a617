import { types } from 'pg';

/** A batch sends columns of these types as arrays. */
export type SqlType =
  | 'bigint'
  | 'boolean'
  | 'bytea'
  | 'integer'
  | 'jsonb'
  | 'numeric'
  | 'text'
  | 'timestamp with time zone'
  | 'uuid';

const INT8 = types.builtins.INT8;

/** A query with these types returns its bigint columns as BigInts and not as texts. */
export const ROW_TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? BigInt : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Returns the parameter of a field in SQL: `bookID` is `_book_id`. */
export function parameterOf(field: string): string {
  return `_${field.replace(/(?<=[a-z0-9])[A-Z]+/g, (capitals) => `_${capitals}`).toLowerCase()}`;
}

/**
 * Returns the values of a column as one array for the driver. Numbers and truth values need no
 * quotes, so their array is one short text; the driver quotes the rest. Undefined is NULL.
 */
export function arrayOf(sqlType: SqlType, values: readonly unknown[]): unknown {
  if (sqlType === 'bigint' || sqlType === 'boolean') return `{${values.map((value) => value ?? 'NULL').join()}}`;
  if (sqlType !== 'bytea') return values;
  return values.map((value) => value && `\\x${(value as Buffer).toString('hex')}`);
}
