import * as z from 'zod';
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

export const approvalSchema = z.object({
  approvalID: z.string(),
  route: z.string().meta({ description: 'The request, by its name in the contract.' }),
  operator: z.string().nullable().meta({ description: 'Code of the operator that it is about.' }),
  params: z.record(z.string(), z.string()),
  body: z.unknown(),
  state: z.enum(APPROVAL_STATES),
  requestedBy: z.string().meta({ description: 'The user who wants it.' }),
  requestedAt: adminInstantSchema,
  expiresAt: adminInstantSchema,
  decidedBy: z.string().nullable(),
  decidedAt: adminInstantSchema.nullable(),
  reason: z.string().nullable(),
  mayDecide: z.boolean().meta({ description: 'The caller has the right, and did not ask for it.' }),
});

export const approvalRoutes = {
  listApprovals: {
    ...ADMIN_ROUTES.listApprovals,
    summary: 'List requests that wait for a second user',
    query: pageQuerySchema.extend({ state: z.enum(APPROVAL_STATES).optional() }),
    responses: { 200: pageSchema(approvalSchema), ...ADMIN_REFUSALS },
  },
  decideApproval: {
    ...ADMIN_ROUTES.decideApproval,
    summary: 'Approve or reject a request of another user',
    pathParams: z.object({ approvalID: z.string().regex(/^\d{1,18}$/) }),
    body: z.object({ decision: z.enum(['approve', 'reject']), reason: reasonSchema.optional() }),
    responses: {
      200: z.object({
        approval: approvalSchema,
        status: z.number().int().meta({ description: 'Status of the request that was approved; 0 when rejected.' }),
        response: z.unknown().meta({ description: 'Its response.' }),
      }),
      409: conflictSchema,
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export type Approval = z.infer<typeof approvalSchema>;
