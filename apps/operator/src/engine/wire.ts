import { type KeyObject, sign, verify } from 'node:crypto';
import {
  positiveMicrosSchema,
  transactionIDSchema,
  unsignedMicrosSchema,
  type WalletErrorCode,
} from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import * as z from 'zod';
import { parseObject } from '../http/access.ts';
import { describeIssue, InvalidRequest } from '../http/errors.ts';
import { type RefusalName, refused } from '../wallet/outcome.ts';

export const SIGNATURE_HEADER = 'x-signature';

export function signatureOf(body: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(body), privateKey).toString('base64');
}

/** 64 bytes in standard base64 with padding. */
const ENCODED = /^[A-Za-z0-9+/]{86}==$/;

export function isSigned(body: Buffer, signature: unknown, publicKey: KeyObject): boolean {
  if (typeof signature !== 'string' || !ENCODED.test(signature)) return false;
  return verify(null, body, publicKey, Buffer.from(signature, 'base64'));
}

/** A status of 4xx is certain: nothing moved. The game server repeats after 5xx. */
const STATUS_OF = {
  ERR_ATE: 401,
  ERR_IS: 400,
  ERR_IPB: 400,
  ERR_BAD: 400,
  ERR_BNF: 404,
  ERR_BC: 400,
  ERR_GE: 500,
  ERR_UE: 500,
} as const;
type EngineErrorCode = keyof typeof STATUS_OF;
export const ERROR_CODES = Object.keys(STATUS_OF);

export function errorResponse(code: string, message: string) {
  return { status: STATUS_OF[code as EngineErrorCode] ?? 500, body: { code, message } };
}

/** Inside a database transaction it undoes what was done. */
export class EngineRefusal extends Error {
  override name = 'EngineRefusal';
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The dialect has no code of a limit: less money than the balance may be bet. */
const CODE_OF: Readonly<Record<WalletErrorCode, EngineErrorCode>> = {
  ERR_IS: 'ERR_IS',
  ERR_ATE: 'ERR_IS',
  ERR_LOC: 'ERR_IS',
  ERR_IPB: 'ERR_IPB',
  ERR_GLE: 'ERR_IPB',
  ERR_VAL: 'ERR_BAD',
  ERR_DUP: 'ERR_BAD',
  ERR_BNF: 'ERR_BNF',
  ERR_GE: 'ERR_GE',
  ERR_UE: 'ERR_UE',
  ERR_MAINTENANCE: 'ERR_GE',
};
const OF_A_CLOSED_ROUND: ReadonlySet<RefusalName> = new Set(['round_closed', 'round_paid']);

/** Says a refusal of prisma/functions in the dialect. */
export function refusalOf(name: RefusalName): EngineRefusal {
  const { code, message } = refused(name);
  return new EngineRefusal(OF_A_CLOSED_ROUND.has(name) ? 'ERR_BC' : CODE_OF[code], message);
}

const MAX_MODE_CHARACTERS = 255;
const debitMoneySchema = z.object({ id: transactionIDSchema, amount: positiveMicrosSchema, currency: z.string() });
const creditMoneySchema = debitMoneySchema.extend({ amount: unsignedMicrosSchema, ref: transactionIDSchema });

export const balanceSchema = z.object({ token: z.string() });
export const creditSchema = balanceSchema.extend({
  /** A number of up to 64 bits, as its digits. */
  round: z.string('must be a whole number').regex(/^\d{1,20}$/),
  active: z.boolean(),
  ip: z.string(),
  credit: creditMoneySchema.nullish(),
});
export const debitSchema = creditSchema.extend({
  mode: z.string().max(MAX_MODE_CHARACTERS),
  debit: debitMoneySchema,
});
export const rollbackSchema = creditSchema.pick({ token: true, round: true }).extend({
  active: z.boolean().default(false),
  rollbacks: z.array(z.object({ id: transactionIDSchema, ref: transactionIDSchema })).min(1),
});

/** @throws InvalidRequest, which is ERR_BAD. */
export function readBody<Schema extends z.ZodType>(bytes: Buffer, schema: Schema): z.output<Schema> {
  const fields: { round?: unknown } = parseObject(bytes);
  // JSON.parse rounds numbers above 2^53, and a round may be one.
  const round = typeof fields.round === 'number' ? parseWithNumberTexts(String(bytes)).round : undefined;
  const { data, error } = schema.safeParse({ ...fields, round });
  if (error) throw new InvalidRequest(describeIssue(error));
  return data;
}
