import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { explain } from './explain.ts';

/** An error as Prisma throws it: its message is a page of text, with files of the server. */
function ofPrisma(code: string, originalCode?: string): Error {
  const message = `\nInvalid \`tx.operator.upsert()\` invocation in\n/app/src/x.ts:1\n\nTransaction API error: expired`;
  const meta = originalCode === undefined ? {} : { driverAdapterError: { cause: { originalCode } } };
  return Object.assign(new Error(message), { name: 'PrismaClientKnownRequestError', code, meta });
}
const ofPostgres = (code: string) => Object.assign(new DatabaseError('its words', 0, 'error'), { code });
const ofSystem = (code: string, more = {}) =>
  Object.assign(new Error(`${code}: its words`), { code, syscall: 'x', ...more });

it.each<[what: string, error: unknown, line: RegExp]>([
  [
    'an expired transaction of Prisma',
    ofPrisma('P2028'),
    /^The database was too busy: .*rolled back\. Run the command again\.$/,
  ],
  ['a unique violation within Prisma', ofPrisma('P2002', '23505'), /^Somebody else has just made the same\./],
  ['a deadlock', ofPostgres('40P01'), /^Other changes came in between, and nothing of this one is stored\./],
  ['a full disk', ofPostgres('53100'), /^The disk of the database is full\.$/],
  ['another code of Prisma', ofPrisma('P2010'), /^The database could not do this \(P2010\)\. Its log says more\.$/],
  [
    'an adapter of Prisma',
    Object.assign(new Error('its words'), { name: 'DriverAdapterError' }),
    /^The database could not do this \(DriverAdapterError\)/,
  ],
  [
    'another state of PostgreSQL',
    ofPostgres('42P01'),
    /^The database refuses with SQLSTATE 42P01\. Its log says more\.$/,
  ],
  ['a connection that breaks', ofPostgres('57P01'), /^The connection to the database was lost\./],
  ['a file of the system', ofSystem('EACCES', { path: '/x/y' }), /^\/x\/y cannot be used \(EACCES\)\.$/],
  ['a database that is away', ofSystem('ECONNREFUSED'), /^The database cannot be reached \(ECONNREFUSED\)\./],
])('%s is one line of ours', (_what, error, line) => {
  const text = explain(error);
  expect(text).toMatch(line);
  expect(text).not.toMatch(/\n|its words|invocation/);
});

it('a bug is one line that asks for a report', () => {
  expect(explain(new TypeError('first\nx is undefined'))).toBe(
    'Something went wrong that should not, please report it: TypeError: x is undefined',
  );
});
