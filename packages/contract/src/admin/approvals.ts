import * as z from 'zod';
import { storableTextOf } from '../fields.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  reasonSchema,
} from './adminSchemas.ts';

export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'expired'] as const;

/** What an approved action has made and only its requester is shown: a secret, a link. */
export const APPROVAL_SECRETS = ['none', 'waiting', 'received'] as const;

const MAX_SUBJECT_CHARACTERS = 500;
const pathParams = z.object({ approvalID: z.string().regex(/^\d{1,18}$/) });

export const approvalSchema = z.object({
  approvalID: z.string(),
  route: z.string().meta({ description: 'The request, by its name in the contract.' }),
  subject: z.string().meta({ description: 'What it is about, as in the log of significant events: `operator acme`.' }),
  what: z.string().meta({ description: 'What will be done, as a sentence.' }),
  details: z
    .array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string() }))
    .meta({ description: 'Each value that is set, in words, with the one that it replaces; null: it replaces none.' }),
  operator: z.string().nullable().meta({ description: "The requester's operator, by its code; null: the server's." }),
  params: z.record(z.string(), z.string()),
  body: z.unknown().meta({ description: 'Settings of a dialect are keys: instead of their values it has `set`.' }),
  state: z.enum(APPROVAL_STATES),
  requestedBy: z.string().meta({ description: 'The user who wants it.' }),
  requestedAt: adminInstantSchema,
  expiresAt: adminInstantSchema,
  decidedBy: z.string().nullable(),
  decidedAt: adminInstantSchema.nullable(),
  reason: z.string().nullable(),
  outcome: z
    .object({
      status: z.int().meta({ description: 'Status of the response that the request has got.' }),
      message: z.string().nullable().meta({ description: 'Why it was refused; null when it is done.' }),
    })
    .nullable()
    .meta({ description: 'An approved request has one: both are stored together.' }),
  secret: z.enum(APPROVAL_SECRETS).meta({
    description: 'waiting: the action has made a secret or a link, which only the requester is shown until confirmed.',
  }),
  isOwn: z.boolean().meta({ description: 'The caller asked for it.' }),
  mayDecide: z.boolean().meta({ description: 'It waits, and the caller has the right and counts as another person.' }),
  whyNot: z.string().nullable().meta({ description: 'It waits, and why the caller may not decide it.' }),
});

export const approvalRoutes = {
  listApprovals: {
    ...ADMIN_ROUTES.listApprovals,
    summary: 'List requests that wait for a second user',
    query: pageQuerySchema.extend({
      state: z.enum(APPROVAL_STATES).optional(),
      subject: storableTextOf(MAX_SUBJECT_CHARACTERS, 'Only those about this: `operator acme`.').optional(),
    }),
    responses: { 200: pageSchema(approvalSchema), ...ADMIN_REFUSALS },
  },
  decideApproval: {
    ...ADMIN_ROUTES.decideApproval,
    summary: 'Approve or reject a request of another user',
    description: 'The approval, what it allows and the outcome are one transaction: all of it happens, or it waits on.',
    pathParams,
    body: z.object({ decision: z.enum(['approve', 'reject']), reason: reasonSchema.optional() }),
    responses: { 200: approvalSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
  showApprovalSecret: {
    ...ADMIN_ROUTES.showApprovalSecret,
    summary: 'Show the requester the secret or the link that an approved action has made',
    description: 'It is shown until `confirmApprovalSecret`: a response that is lost on its way loses nothing.',
    pathParams,
    body: z.object({}),
    responses: { 200: z.object({ secret: z.string() }), ...ADMIN_REFUSALS },
  },
  confirmApprovalSecret: {
    ...ADMIN_ROUTES.confirmApprovalSecret,
    summary: 'Say that the secret has arrived: the server forgets it',
    pathParams,
    body: z.object({}),
    responses: { 200: approvalSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type Approval = z.infer<typeof approvalSchema>;
