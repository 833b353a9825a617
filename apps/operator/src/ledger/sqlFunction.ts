import {
  arrayOf,
  parameterOf,
  ROW_TYPES,
  retryConflicts,
  type SqlType,
  UNIQUE_VIOLATION,
  type WriterPool,
} from '@roundhouse/service';

/** The number of tries for a transaction that conflicts with another one. */
export const MAX_ATTEMPTS = 5;

/** Runs the function for each request in order. The rows have the same order. */
export type SqlFunction<Request, Row> = (pool: WriterPool, requests: readonly Request[]) => Promise<Row[]>;

/**
 * Returns a function of prisma/functions, which judges one request and returns one row. The
 * requests of a call are one statement, with one commit. Each connection prepares the statement
 * once.
 *
 * `parameters` are the fields of a request; `playerID` is the parameter `_player_id`. `lockOrder`
 * is the field by which the function locks. All calls lock in its order, so they do not wait in a
 * circle. After a conflict the call runs again: the loser of a race for an id then reads what the
 * winner wrote. So does a call whose connection was lost: each id moves money once.
 */
export function sqlFunction<Request extends object, Row extends object>(
  name: string,
  parameters: Readonly<Record<keyof Request & string, SqlType>>,
  { lockOrder }: { lockOrder?: keyof Request & string } = {},
): SqlFunction<Request, Row> {
  const fields = Object.entries<SqlType>(parameters);
  const columns = fields.map(([field]) => parameterOf(field));
  const statement = {
    name,
    text: `
      SELECT called.* FROM (
        SELECT *
        FROM unnest(${fields.map(([, sqlType], index) => `$${index + 1}::${sqlType}[]`)})
          WITH ORDINALITY AS given (${columns}, ordinal)
        ORDER BY ${lockOrder === undefined ? '' : `${parameterOf(lockOrder)}, `}ordinal
      ) request
      CROSS JOIN LATERAL (
        SELECT request.ordinal, result.*
        FROM ${name}(${columns.map((each) => `${each} => request.${each}`)}) result
      ) called`,
    types: ROW_TYPES,
  };
  return async (pool, requests) => {
    const values = fields.map(([field, sqlType]) =>
      arrayOf(
        sqlType,
        requests.map((request) => request[field as keyof Request]),
      ),
    );
    const { rows } = await retryConflicts(() => pool.query<Row & { ordinal: bigint }>({ ...statement, values }), {
      maxAttempts: MAX_ATTEMPTS,
      alsoAfter: [UNIQUE_VIOLATION],
      writer: pool.writer,
    });
    return rows.sort((one, other) => Number(one.ordinal - other.ordinal));
  };
}
