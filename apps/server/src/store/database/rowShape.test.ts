import { toMicros } from '@roundhouse/contract';
import { expect, expectTypeOf, it } from 'vitest';
import {
  column,
  instantOrNull,
  micros,
  microsOrNull,
  nullableMicros,
  optional,
  type RecordOf,
  rowShape,
  safeNumber,
} from './rowShape.ts';

const BET = rowShape({
  roundID: column<bigint>('r.id'),
  amount: micros('r.amount_micros'),
  balance: nullableMicros('r.balance_micros'),
  grantID: optional<string>('(SELECT 1, 2)'),
  bookID: safeNumber('r.book_id'),
});

it('columns have the names of their members', () => {
  expect(BET.columns).toBe(
    'r.id AS "roundID", r.amount_micros AS "amount", r.balance_micros AS "balance", (SELECT 1, 2) AS "grantID", r.book_id AS "bookID"',
  );
});

it('a record has the values of its members, and no other column of the row', () => {
  const row = { roundID: 2n ** 60n, amount: 4n, balance: null, grantID: null, bookID: 7n, other: 1 };
  expect(BET.read(row)).toStrictEqual({
    ...{ roundID: 2n ** 60n, amount: 4, balance: null, grantID: undefined, bookID: 7 },
  });
  expectTypeOf(BET.read(row)).toEqualTypeOf<RecordOf<typeof BET>>();
  expectTypeOf(BET.read(row).grantID).toEqualTypeOf<string | undefined>();
});

it('an amount that is not exact as a number is refused', () => {
  const row = { roundID: 1n, amount: 2n ** 53n, balance: null, grantID: null, bookID: 7n };
  expect(() => BET.read(row)).toThrow(RangeError);
  expect(() => microsOrNull(2n ** 53n)).toThrow(RangeError);
});

it('NULL stays null in amounts and instants', () => {
  expect([microsOrNull(null), microsOrNull(5n)]).toEqual([null, toMicros(5)]);
  expect([instantOrNull(null), instantOrNull('2026-01-02T03:04:05.678901+00:00')]).toEqual([
    null,
    new Date('2026-01-02T03:04:05.678Z'),
  ]);
});
