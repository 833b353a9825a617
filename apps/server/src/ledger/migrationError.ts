import type { DatabaseError } from 'pg';

/** The database and the SQL files of this version do not match; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export function sqlErrorText(error: DatabaseError, sql: string): string {
  if (error.position === undefined) return error.message;
  const line = sql.slice(0, Number(error.position)).split('\n').length;
  return `${error.message} (line ${line})`;
}
