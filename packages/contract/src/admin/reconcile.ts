import * as z from 'zod';
import { currencySchema } from '../fields.ts';
import { ROUND_TRANSACTION_KINDS, TRANSACTION_STATES } from '../operator/operatorSchemas.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  conflictSchema,
  storableSchema,
  streamErrorSchema,
  streamProgressSchema,
} from './adminSchemas.ts';

/** The largest number of differences that a comparison shows; it counts the others. */
export const MAX_DIFFERENCES_SHOWN = 1_000;
/** The largest number of days that the console compares at once; the command has no limit. */
export const MAX_RECONCILED_DAYS = 31;

const sideSchema = z.object({
  kind: z.enum(ROUND_TRANSACTION_KINDS),
  betID: z.string().meta({ description: 'The round, as this side names it.' }),
  playerID: z.string(),
  amount: z.number().int().meta({ description: 'Micros.' }),
  currency: currencySchema,
  debitTransactionID: z.string().nullable(),
  at: z.string(),
});

export const reconcileLineSchema = z.object({
  kind: z.literal('line'),
  difference: z.enum(['missing', 'unlike', 'listed_twice', 'never_taken', 'not_rolled_back', 'not_ours']),
  transactionID: z.string(),
  fields: z.array(z.string()).meta({ description: 'Of `unlike`: what the two lists do not agree in.' }),
  what: z.string().meta({ description: 'The difference in words.' }),
  ours: sideSchema
    .extend({ state: z.enum(TRANSACTION_STATES), resultCode: z.string().nullable(), settledBy: z.string().nullable() })
    .nullable(),
  theirs: sideSchema.nullable(),
});

export const reconcileResultSchema = z.object({
  kind: z.literal('result'),
  operator: z.string(),
  from: adminInstantSchema,
  to: adminInstantSchema,
  ours: z.number().int().meta({ description: 'Wallet transactions of this time here.' }),
  theirs: z.number().int().meta({ description: 'Transactions of this time in the list of the operator.' }),
  younger: z.number().int().nullable().meta({ description: 'Younger than a minute, and so not compared.' }),
  differences: z.number().int().meta({ description: 'All of them, shown or not.' }),
  shown: z.number().int(),
  unsettled: z.number().int().meta({ description: 'Pending or parked here: no difference, and not compared.' }),
});

export const reconcileStreams = {
  reconcileOperator: {
    ...ADMIN_ROUTES.reconcileOperator,
    summary: "Compare our wallet transactions with an operator's list",
    description:
      'Lines of JSON: progress (`done` counts the rows of both sides that were compared), one line for each of the first differences, and the result. ' +
      'Moves no money. One comparison of an operator runs at a time: 409.',
    pathParams: z.object({ operator: storableSchema.max(100) }),
    body: z.object({
      from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Default: 24 hours before `to`.' }),
      to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Default: a minute ago.' }),
    }),
    responses: {
      200: z.union([streamProgressSchema, reconcileLineSchema, reconcileResultSchema, streamErrorSchema]),
      409: conflictSchema,
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export type ReconcileLine = z.infer<typeof reconcileLineSchema>;
export type ReconcileResult = z.infer<typeof reconcileResultSchema>;
