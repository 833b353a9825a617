import * as z from 'zod';
import { currencySchema } from '../fields.ts';
import { ROUND_TRANSACTION_KINDS, TRANSACTION_STATES } from '../operator/operatorSchemas.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  approvalPendingSchema,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  reasonSchema,
  storableSchema,
} from './adminSchemas.ts';

/** The largest number of wallet transactions that one request retries. */
export const MAX_RETRIED = 200;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const idSchema = z
  .string()
  .regex(UUID, 'must be the id of a wallet transaction')
  .transform((text) => text.toLowerCase());
const microsQuerySchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const adminWalletTransactionSchema = z.object({
  transactionID: z.string(),
  kind: z.enum(ROUND_TRANSACTION_KINDS),
  state: z.enum(TRANSACTION_STATES),
  operator: z.string(),
  playerID: z.string(),
  gameID: z.string(),
  betID: z.number().int().meta({ description: 'The round.' }),
  debitTransactionID: z.string(),
  amount: z.number().int().min(0).meta({ description: 'Micros.' }),
  currency: currencySchema,
  attempts: z.number().int().min(0),
  resultCode: z.string().nullable().meta({ description: 'Of the last attempt; null before the first one.' }),
  httpStatus: z.number().int().nullable(),
  resultDetail: z.string().nullable().meta({ description: 'For a person: what the wallet responded.' }),
  resultAt: adminInstantSchema.nullable(),
  createdAt: adminInstantSchema,
  dueAt: adminInstantSchema.nullable().meta({ description: 'The next attempt; null unless it is pending.' }),
  retryUntil: adminInstantSchema.nullable().meta({ description: 'It is parked then; null unless it is pending.' }),
  settledAt: adminInstantSchema.nullable(),
  settledBy: z.enum(['operator', 'recovery', 'person']).nullable(),
  settlementNote: z.string().nullable().meta({ description: 'Why a person has settled it.' }),
  reference: z.string().nullable().meta({ description: "The wallet's own id of it, where it gives one." }),
});

const querySchema = pageQuerySchema.extend({
  state: z
    .enum(TRANSACTION_STATES)
    .optional()
    .meta({
      description:
        'pending: by the next attempt, the soonest first. parked: the oldest first. Else the newest rounds first, ' +
        'and a round, or an operator with a player or a time, is required.',
    }),
  kind: z.enum(ROUND_TRANSACTION_KINDS).optional(),
  operator: storableSchema.max(100).optional(),
  player: storableSchema.max(200).optional().meta({ description: 'The playerID of the operator.' }),
  betID: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  from: z.iso.datetime({ offset: true }).optional().meta({
    description: 'Pending and parked: created at this time or later. Else: of rounds opened at this time or later.',
  }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Before this time.' }),
  minAmount: microsQuerySchema.optional().meta({ description: 'Micros, inclusive.' }),
  maxAmount: microsQuerySchema.optional().meta({ description: 'Micros, inclusive.' }),
});

const notRetriedSchema = z.object({
  transactionID: z.string(),
  state: z.enum(TRANSACTION_STATES).nullable().meta({ description: 'null: there is no such one.' }),
  by: z.string().nullable().meta({ description: 'Who changed it last: the actor of a significant event.' }),
  at: adminInstantSchema.nullable(),
});

export const walletTransactionRoutes = {
  listWalletTransactions: {
    ...ADMIN_ROUTES.listWalletTransactions,
    summary: 'List wallet transactions',
    description:
      'A page may have fewer rows than `limit`, or none, and still a cursor: one request reads a bounded part of the table.',
    query: querySchema,
    responses: { 200: pageSchema(adminWalletTransactionSchema), ...ADMIN_REFUSALS },
  },
  retryWalletTransactions: {
    ...ADMIN_ROUTES.retryWalletTransactions,
    summary: 'Retry parked wallet transactions',
    description: 'A running server sends each at once, and retries it for another 72 hours.',
    body: z.object({ transactionIDs: z.array(idSchema).min(1).max(MAX_RETRIED) }),
    responses: {
      200: z.object({ retried: z.array(z.string()), notRetried: z.array(notRetriedSchema) }),
      ...ADMIN_REFUSALS,
    },
  },
  settleWalletTransaction: {
    ...ADMIN_ROUTES.settleWalletTransaction,
    summary: 'Settle a parked wallet transaction by hand',
    description: 'Our records then say that the operator has accepted it, and its round goes on from there.',
    pathParams: z.object({ transactionID: idSchema }),
    body: z.object({ reason: reasonSchema }),
    responses: {
      200: adminWalletTransactionSchema,
      202: approvalPendingSchema,
      409: conflictSchema,
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export type AdminWalletTransaction = z.infer<typeof adminWalletTransactionSchema>;
export type WalletTransactionQuery = z.infer<typeof querySchema>;
export type NotRetried = z.infer<typeof notRetriedSchema>;
