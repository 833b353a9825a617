import * as z from 'zod';
import { currencySchema, storableTextOf } from '../fields.ts';
import { GRANT_STATES } from '../grants.ts';
import {
  campaignSchema,
  createCampaignRequestSchema,
  freeRoundTermsSchema,
  giveGrantsRequestSchema,
  operatorGrantSchema,
} from '../operator/freeRoundSchemas.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  pageQuerySchema,
  pageSchema,
  reasonSchema,
  sumSchema,
} from './adminSchemas.ts';

const codeSchema = storableTextOf(100, 'A code, as it was given.');
const nameSchema = storableTextOf(200, 'An id of the operator.');
const operatorParams = z.object({ operator: codeSchema });
const campaignParams = operatorParams.extend({ campaignID: nameSchema });
const countSchema = z.number().int().min(0);

export const adminCampaignSchema = campaignSchema
  .omit({ grants: true, used: true, left: true })
  .extend({ operator: z.string().meta({ description: 'Code of the operator that gives.' }) });

/** What one player gets, in one currency. */
export const grantPriceSchema = z.object({
  currency: currencySchema,
  cost: sumSchema.meta({ description: 'The bets of all of its rounds, which the operator pays, in micros.' }),
  liability: sumSchema.meta({ description: 'Its rounds can win so much together at most, in micros.' }),
});

/**
 * What has become of the grants of a campaign in one currency. given = used + left + expired +
 * cancelled.
 */
export const campaignProgressSchema = z.object({
  currency: currencySchema,
  grants: countSchema,
  given: countSchema,
  used: countSchema,
  left: countSchema,
  expired: countSchema,
  cancelled: countSchema,
  openRounds: countSchema.meta({ description: 'Of the used ones these are being played.' }),
  won: sumSchema.meta({ description: 'The completed rounds paid so much.' }),
  cost: sumSchema.meta({ description: 'The bets of the used rounds, which the operator pays.' }),
  costLeft: sumSchema.meta({ description: 'The bets of the rounds that are left.' }),
  liability: sumSchema.meta({ description: 'Open rounds and those that are left can win so much at most.' }),
});

const campaignAndMore = z.object({
  campaign: adminCampaignSchema,
  progress: z.array(campaignProgressSchema),
  perGrant: z.array(grantPriceSchema).meta({ description: 'Each further player gets this.' }),
});

export const freeRoundRoutes = {
  listCampaigns: {
    ...ADMIN_ROUTES.listCampaigns,
    summary: 'List campaigns',
    query: pageQuerySchema.extend({ operator: codeSchema.optional() }),
    responses: { 200: pageSchema(adminCampaignSchema), ...ADMIN_REFUSALS },
  },
  getCampaign: {
    ...ADMIN_ROUTES.getCampaign,
    summary: 'Follow a campaign: what is given, used and won, what it cost and what it can still cost',
    pathParams: campaignParams,
    responses: { 200: campaignAndMore, ...ADMIN_REFUSALS },
  },
  priceTerms: {
    ...ADMIN_ROUTES.priceTerms,
    summary: 'Judge the terms of a campaign and price them, without creating it',
    pathParams: operatorParams,
    body: freeRoundTermsSchema,
    responses: { 200: z.object({ perGrant: z.array(grantPriceSchema) }), ...ADMIN_REFUSALS },
  },
  createCampaign: {
    ...ADMIN_ROUTES.createCampaign,
    summary: 'Create a campaign',
    pathParams: operatorParams,
    body: createCampaignRequestSchema,
    responses: { 200: adminCampaignSchema, ...ADMIN_REFUSALS },
  },
  cancelCampaign: {
    ...ADMIN_ROUTES.cancelCampaign,
    summary: 'Cancel a campaign: nothing is given any more, and unused rounds are gone',
    pathParams: campaignParams,
    body: z.strictObject({ reason: reasonSchema }),
    responses: { 200: adminCampaignSchema, ...ADMIN_REFUSALS },
  },
  listGrants: {
    ...ADMIN_ROUTES.listGrants,
    summary: 'List the grants of an operator',
    pathParams: operatorParams,
    query: pageQuerySchema.extend({
      playerID: nameSchema.optional(),
      campaignID: nameSchema.optional(),
      state: z.enum(GRANT_STATES).optional(),
    }),
    responses: { 200: pageSchema(operatorGrantSchema), ...ADMIN_REFUSALS },
  },
  giveGrants: {
    ...ADMIN_ROUTES.giveGrants,
    summary: 'Give free rounds to players: all of a request, or none',
    pathParams: operatorParams,
    body: giveGrantsRequestSchema.safeExtend({
      newPlayers: z.boolean().default(false).meta({
        description: 'Also gives to players whom the server does not know yet; otherwise they are refused.',
      }),
    }),
    responses: {
      200: z.object({
        given: countSchema.meta({ description: 'The grants of the request, those of an earlier try included.' }),
        expiresAt: adminInstantSchema,
      }),
      ...ADMIN_REFUSALS,
    },
  },
  cancelGrant: {
    ...ADMIN_ROUTES.cancelGrant,
    summary: 'Cancel the unused rounds of a grant',
    pathParams: operatorParams.extend({ grantID: nameSchema }),
    body: z.strictObject({ reason: reasonSchema }),
    responses: { 200: operatorGrantSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type AdminCampaign = z.infer<typeof adminCampaignSchema>;
export type GrantPrice = z.infer<typeof grantPriceSchema>;
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;
