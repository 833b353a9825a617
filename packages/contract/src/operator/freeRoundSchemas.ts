import * as z from 'zod';
import { currencySchema, nameOf, plainTextOf, positiveMicrosSchema, storableTextOf } from '../fields.ts';
import { GRANT_STATES, grantSchema, MAX_GRANT_ID_CHARACTERS, newGrantIDSchema } from '../grants.ts';
import { cursorSchema, reasonSchema } from './operatorSchemas.ts';
import { playerIDSchema, storedPlayerIDSchema } from './walletSchemas.ts';

/** The largest number of grants that one request gives. */
export const MAX_GRANTS_PER_REQUEST = 10_000;
/** The largest number of grants or campaigns in one page of a list. */
export const MAX_GRANTS_PER_PAGE = 1000;
const DEFAULT_GRANTS_PER_PAGE = 100;
const MAX_GAMES = 50;
const MAX_PLAY_WITHIN_HOURS = 8760;

const instantSchema = z.iso.datetime({ offset: true });

const CAMPAIGN_ID = [MAX_GRANT_ID_CHARACTERS, "The operator's own id of a campaign.", 'welcome'] as const;
const campaignIDSchema = storableTextOf(...CAMPAIGN_ID);

/** What is given: to each player of a campaign, or to the players of one request. */
export const freeRoundTermsSchema = z
  .strictObject({
    gameIDs: z
      .array(nameOf('A game.'))
      .min(1)
      .max(MAX_GAMES)
      .meta({
        description: 'The rounds can be played in each of these games.',
        examples: [['my-game']],
      }),
    mode: nameOf('The bet mode, in upper or lower case.'),
    bets: z.record(currencySchema, positiveMicrosSchema).meta({
      description: 'The base bet of each round, in micros by currency. Each is a bet level of each game.',
      examples: [{ USD: 1_000_000 }],
    }),
    rounds: z
      .int()
      .min(1)
      .meta({ description: 'How many rounds each player gets.', examples: [10] }),
    startsAt: instantSchema.optional().meta({ description: 'No round is played before; without it, from now on.' }),
    endsAt: instantSchema.meta({ description: 'No round is opened from this instant on.' }),
    playWithinHours: z
      .int()
      .min(1)
      .max(MAX_PLAY_WITHIN_HOURS)
      .optional()
      .meta({
        description: 'The hours after which a given grant expires, if `endsAt` is not before.',
        examples: [72],
      }),
    automatic: z.boolean().default(false).meta({
      description: 'A play of the mode and bet that names no grant takes a round: for games that know no grants.',
    }),
    paidAtEnd: z.boolean().default(false).meta({
      description: 'All wins of a grant are paid together when it ends. Else each round pays its own.',
    }),
  })
  .meta({ title: 'FreeRoundTerms', description: 'What is given.' });

export const createCampaignRequestSchema = freeRoundTermsSchema
  .extend({ campaignID: plainTextOf(...CAMPAIGN_ID) })
  .meta({ title: 'CreateCampaignRequest' });

export const campaignSchema = createCampaignRequestSchema
  .extend({
    startsAt: instantSchema,
    state: z.enum(['open', 'cancelled']),
    createdAt: instantSchema,
    grants: z.int().min(0).meta({ description: 'How many players have got it.' }),
    used: z.int().min(0).meta({ description: 'How many rounds they have played.' }),
    left: z.int().min(0).meta({ description: 'How many rounds they can still play.' }),
  })
  .meta({ title: 'Campaign' });

const pageSchema = {
  limit: z.coerce.number().int().min(1).max(MAX_GRANTS_PER_PAGE).default(DEFAULT_GRANTS_PER_PAGE),
  cursor: cursorSchema,
};
const nextCursorSchema = z.string().nullable().meta({ description: 'For the next page; null on the last one.' });

export const listCampaignsQuerySchema = z.strictObject(pageSchema);
export const listCampaignsResponseSchema = z
  .object({ campaigns: z.array(campaignSchema).meta({ description: 'Newest first.' }), cursor: nextCursorSchema })
  .meta({ title: 'ListCampaignsResponse' });

const newGrantSchema = z
  .strictObject({ grantID: newGrantIDSchema, playerID: playerIDSchema, currency: currencySchema })
  .meta({ title: 'NewGrant', description: 'To whom. The player need not have played before.' });
export const giveGrantsRequestSchema = z
  .strictObject({
    campaignID: campaignIDSchema.optional().meta({ description: 'Give what the campaign says.' }),
    terms: freeRoundTermsSchema.optional().meta({ description: 'Give this, without a campaign.' }),
    grants: z.array(newGrantSchema).min(1).max(MAX_GRANTS_PER_REQUEST),
  })
  .refine(({ campaignID, terms }) => (campaignID === undefined) !== (terms === undefined), {
    error: 'must hold either campaignID or terms',
  })
  .meta({ title: 'GiveGrantsRequest', description: 'All grants of a request are given, or none.' });
export const givenGrantSchema = newGrantSchema
  .extend({
    amount: positiveMicrosSchema.meta({ description: 'The base bet of each round, in micros.' }),
    given: z.int().min(1),
    startsAt: instantSchema,
    expiresAt: instantSchema,
  })
  .meta({ title: 'GivenGrant' });
export const giveGrantsResponseSchema = z
  .object({ grants: z.array(givenGrantSchema).meta({ description: 'In the order of the request.' }) })
  .meta({ title: 'GiveGrantsResponse', description: 'The same for the same request, however often it is sent.' });

export const operatorGrantSchema = grantSchema
  .extend({
    campaignID: campaignIDSchema.nullable(),
    playerID: storedPlayerIDSchema,
    currency: currencySchema,
    gameIDs: z.array(z.string()),
    expired: z.int().min(0).meta({ description: 'How many rounds were left when it expired.' }),
    cancelled: z.int().min(0).meta({ description: 'How many rounds were left when it was cancelled or declined.' }),
    createdAt: instantSchema,
    endedAt: instantSchema.nullable().meta({
      description: 'When nothing was left of it and its last round was completed; null until then.',
    }),
  })
  .meta({ title: 'OperatorGrant', description: 'given = used + left + expired + cancelled.' });

export const listGrantsQuerySchema = z.strictObject({
  ...pageSchema,
  playerID: storedPlayerIDSchema.optional(),
  campaignID: campaignIDSchema.optional(),
  state: z.enum(GRANT_STATES).optional(),
});
export const listGrantsResponseSchema = z
  .object({ grants: z.array(operatorGrantSchema).meta({ description: 'Newest first.' }), cursor: nextCursorSchema })
  .meta({ title: 'ListGrantsResponse' });

export const listGrantChangesQuerySchema = z.strictObject(pageSchema);
export const listGrantChangesResponseSchema = z
  .object({
    grants: z.array(operatorGrantSchema).meta({ description: 'Each changed grant once, as it is now.' }),
    cursor: z.string().nullable().meta({
      description: 'For the changes after these; null before the first change of all. Keep it, and ask again.',
    }),
  })
  .meta({ title: 'ListGrantChangesResponse', description: 'The grants that changed since the cursor.' });

export const cancelRequestSchema = z
  .strictObject({ reason: reasonSchema.optional().meta({ description: 'For the log.' }) })
  .meta({ title: 'CancelRequest' });

export type FreeRoundTerms = z.infer<typeof freeRoundTermsSchema>;
export type CreateCampaignRequest = z.infer<typeof createCampaignRequestSchema>;
export type Campaign = z.infer<typeof campaignSchema>;
export type NewGrant = z.infer<typeof newGrantSchema>;
export type GiveGrantsRequest = z.infer<typeof giveGrantsRequestSchema>;
export type GivenGrant = z.infer<typeof givenGrantSchema>;
export type GiveGrantsResponse = z.infer<typeof giveGrantsResponseSchema>;
export type OperatorGrant = z.infer<typeof operatorGrantSchema>;
export type ListGrantsQuery = z.infer<typeof listGrantsQuerySchema>;
export type ListGrantChangesResponse = z.infer<typeof listGrantChangesResponseSchema>;
