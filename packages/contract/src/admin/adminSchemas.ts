import * as z from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { operatorErrorSchema } from '../operator/operatorSchemas.ts';
import { isStorableText } from '../text.ts';
import { ROLES } from './adminRoutes.ts';

const MAX_PAGE = 200;
const MAX_REASON_CHARACTERS = 200;

/** Begins a list. A page of a list has at most `limit` rows, the newest first. */
export const pageQuerySchema = z.object({
  cursor: z.string().max(200).optional().meta({ description: 'The cursor of the page before.' }),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50).meta({ description: 'Rows of a page.' }),
});

/** Returns the schema of a page: its rows, and the cursor of the next one or null. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    cursor: z.string().nullable().meta({ description: 'Leads to the next page; null at the end.' }),
  });
}

/** A text that the database can hold, and compare with. */
export const storableSchema = z
  .string()
  .refine(isStorableText, { error: 'must not hold U+0000 or half a surrogate pair' });

export const reasonSchema = storableSchema
  .trim()
  .min(1)
  .max(MAX_REASON_CHARACTERS)
  .meta({ description: 'Why: it goes into the log of significant events.' });

/** For a request that needs a reason only when it stops players. */
export const REASON_NEEDED = { path: ['reason'], error: 'is required' };

export const adminInstantSchema = z.iso.datetime();

/** Days are in UTC, as 2026-11-23. */
export const daySchema = z.iso.date();

/** A sum of micros as text: it may exceed what a JSON number holds exactly. */
export const sumSchema = z.string().regex(/^-?\d+$/);

export const roleSchema = z.enum(ROLES);

const fieldsSchema = z.record(z.string(), z.string()).optional().meta({ description: 'What is not right, by field.' });

/**
 * Somebody else was first: `by` is the actor and `at` the time of the change that won. Without them
 * the request names what exists already.
 */
export const conflictSchema = operatorErrorSchema.extend({
  by: z.string().nullable().meta({ description: 'The actor of the event, as in the log of significant events.' }),
  at: adminInstantSchema.nullable(),
  fields: fieldsSchema,
});

/** The request is stored, and runs when a second user approves it. */
export const approvalPendingSchema = z.object({
  approvalID: z.string(),
  approvers: z.int().min(0).meta({
    description: 'Users who may approve it at this moment. 0: the first second user is added by `roundhouse user add`.',
  }),
});

/** `fields` has an entry for each field that is not right, for the form that has sent it. */
export const invalidRequestSchema = operatorErrorSchema.extend({
  fields: fieldsSchema,
});

/** 401: no session. 403: the role may not do it. 404: there is no such thing for this user. */
export const ADMIN_REFUSALS = {
  400: invalidRequestSchema,
  401: operatorErrorSchema,
  403: operatorErrorSchema,
  404: operatorErrorSchema,
  429: operatorErrorSchema,
  500: operatorErrorSchema,
  503: operatorErrorSchema,
} as const;

/** Each line of a stream is one of these, as JSON. The last one is a result or an error. */
export const streamProgressSchema = z.object({
  kind: z.literal('progress'),
  done: z.number().int().min(0),
  total: z.number().int().min(0).nullable(),
});
export const streamErrorSchema = z.object({
  kind: z.literal('error'),
  error: z.enum(ERROR_CODES),
  message: z.string(),
});

export type AdminConflict = z.infer<typeof conflictSchema>;
export type ApprovalPending = z.infer<typeof approvalPendingSchema>;
export type StreamProgress = z.infer<typeof streamProgressSchema>;
export type StreamError = z.infer<typeof streamErrorSchema>;
export type InvalidRequestBody = z.infer<typeof invalidRequestSchema>;
