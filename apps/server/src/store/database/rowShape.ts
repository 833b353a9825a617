import { type Micros, toMicros } from '@roundhouse/contract';

/**
 * A member of a record: its column in SQL, and how the value of the driver becomes that of the
 * record.
 */
export type Member<Value> = { sql: string; read?: (stored: never) => Value; value?: Value };
type Members = Record<string, Member<unknown>>;

/**
 * A record says once what it has: its type, the columns that a query selects, and how a row is read
 * follow from the members.
 */
export type RowShape<Of extends Members> = {
  readonly members: Of;
  /** The text after SELECT. Each column has the name of its member. */
  readonly columns: string;
  /** Takes no other column of the row. */
  read(row: Row<Of>): ValuesOf<Of>;
};
type ValuesOf<Of extends Members> = { [Name in keyof Of]: Of[Name] extends Member<infer Value> ? Value : never };
type Row<Of extends Members> = Readonly<Record<keyof Of, unknown>>;

export type RecordOf<Shape> = Shape extends RowShape<infer Of> ? ValuesOf<Of> : never;
export type RowOf<Shape> = Shape extends RowShape<infer Of> ? Row<Of> : never;

export function rowShape<Of extends Members>(members: Of): RowShape<Of> {
  const given = Object.entries(members) as [string, { sql: string; read?: (stored: unknown) => unknown }][];
  return {
    members,
    columns: given.map(([name, { sql }]) => `${sql} AS "${name}"`).join(', '),
    read(row) {
      const record: Record<string, unknown> = {};
      for (const [name, { read }] of given) record[name] = read === undefined ? row[name] : read(row[name]);
      return record as ValuesOf<Of>;
    },
  };
}

/** The driver gives the value as the record has it. */
export const column = <Value>(sql: string): Member<Value> => ({ sql });
/** NULL is undefined in the record. */
export const optional = <Value>(sql: string): Member<Value | undefined> => ({
  sql,
  read: (stored: Value | null) => stored ?? undefined,
});
export const micros = (sql: string): Member<Micros> => ({ sql, read: toMicros });
export const nullableMicros = (sql: string): Member<Micros | null> => ({ sql, read: microsOrNull });
/** A bigint below 2^53: an id on the wire, or a count. */
export const safeNumber = (sql: string): Member<number> => ({ sql, read: Number });
export const optionalNumber = (sql: string): Member<number | undefined> => ({
  sql,
  read: (stored: bigint | null) => (stored === null ? undefined : Number(stored)),
});
/** Prisma gives a Uint8Array, the driver itself a Buffer. */
export const bytes = (sql: string): Member<Buffer> => ({ sql, read: (stored: Uint8Array) => Buffer.from(stored) });

export function microsOrNull(stored: bigint | number | null): Micros | null {
  return stored === null ? null : toMicros(stored);
}

/** JSON has an instant as text. */
export function instantOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/**
 * The record as a query returns it that has the names of its members: the driver gives these
 * amounts as bigint.
 */
export type StoredAmounts<Of, Names extends keyof Of> = Omit<Of, Names> & Record<Names, bigint>;
