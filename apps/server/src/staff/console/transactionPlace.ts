import { ROUND_TRANSACTION_KINDS } from '@roundhouse/contract';
import * as z from 'zod';
import type { TransactionPlace } from '../../store/staff/walletTransactionList.ts';

const MOST_DIGITS = 18;

const placeSchema = z.union([
  z.tuple([
    z.string().regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  ]),
  z.tuple([z.string().regex(new RegExp(`^\\d{1,${MOST_DIGITS}}$`)), z.enum(ROUND_TRANSACTION_KINDS)]),
]);

/**
 * Writes where a page of wallet transactions has ended; clients send it back and do not read it.
 */
export function writePlace(place: TransactionPlace): string {
  const fields = place.order === 'time' ? [place.at, place.transactionID] : [String(place.roundID), place.kind];
  return Buffer.from(fields.join(' ')).toString('base64url');
}

/** Returns undefined for a text that `writePlace` has not written. */
export function readPlace(cursor: string | undefined): TransactionPlace | undefined {
  if (cursor === undefined) return undefined;
  const { data } = placeSchema.safeParse(Buffer.from(cursor, 'base64url').toString('latin1').split(' '));
  if (data === undefined) return undefined;
  const [first, second] = data;
  const isRound = (ROUND_TRANSACTION_KINDS as readonly string[]).includes(second);
  const place: TransactionPlace = isRound
    ? { order: 'round', roundID: BigInt(first), kind: second as (typeof ROUND_TRANSACTION_KINDS)[number] }
    : { order: 'time', at: first, transactionID: second };
  // 2030-13-99 has the form of a time but is not one.
  const isTime = place.order === 'round' || !Number.isNaN(Date.parse(place.at));
  return isTime && writePlace(place) === cursor ? place : undefined;
}
