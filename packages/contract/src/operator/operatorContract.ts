import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import {
  campaignSchema,
  cancelRequestSchema,
  createCampaignRequestSchema,
  giveGrantsRequestSchema,
  giveGrantsResponseSchema,
  listCampaignsQuerySchema,
  listCampaignsResponseSchema,
  listGrantChangesQuerySchema,
  listGrantChangesResponseSchema,
  listGrantsQuerySchema,
  listGrantsResponseSchema,
  operatorGrantSchema,
} from './freeRoundSchemas.ts';
import {
  createSessionRequestSchema,
  createSessionResponseSchema,
  endSessionsRequestSchema,
  endSessionsResponseSchema,
  listGamesResponseSchema,
  listPlayerRoundsQuerySchema,
  listRoundsQuerySchema,
  listRoundsResponseSchema,
  operatorErrorSchema,
  revokeSessionResponseSchema,
  roundDetailQuerySchema,
  roundDetailSchema,
  voidRoundRequestSchema,
} from './operatorSchemas.ts';
import { storedPlayerIDSchema } from './walletSchemas.ts';

/** Operators call these routes, below the server's address. */
export const OPERATOR_ROUTES = {
  listGames: { method: 'GET', path: '/operator/games' },
  createSession: { method: 'POST', path: '/operator/sessions' },
  endSessions: { method: 'POST', path: '/operator/sessions/end' },
  revokeSession: { method: 'DELETE', path: '/operator/sessions/:sessionID' },
  listRounds: { method: 'GET', path: '/operator/rounds' },
  listPlayerRounds: { method: 'GET', path: '/operator/players/:playerID/rounds' },
  getRound: { method: 'GET', path: '/operator/rounds/:betID' },
  voidRound: { method: 'POST', path: '/operator/rounds/:betID/void' },
  createCampaign: { method: 'POST', path: '/operator/free-rounds/campaigns' },
  listCampaigns: { method: 'GET', path: '/operator/free-rounds/campaigns' },
  getCampaign: { method: 'GET', path: '/operator/free-rounds/campaigns/:campaignID' },
  cancelCampaign: { method: 'POST', path: '/operator/free-rounds/campaigns/:campaignID/cancel' },
  giveGrants: { method: 'POST', path: '/operator/free-rounds/grants' },
  listGrants: { method: 'GET', path: '/operator/free-rounds/grants' },
  getGrant: { method: 'GET', path: '/operator/free-rounds/grants/:grantID' },
  cancelGrant: { method: 'POST', path: '/operator/free-rounds/grants/:grantID/cancel' },
  listGrantChanges: { method: 'GET', path: '/operator/free-rounds/changes' },
} as const;

export type OperatorRouteName = keyof typeof OPERATOR_ROUTES;

/**
 * 401: the operator is unknown or the signature is wrong. 404: this operator has no such thing.
 * 421: the player is of another cell; the launch router sends the request there.
 */
const REFUSALS = {
  400: operatorErrorSchema,
  401: operatorErrorSchema,
  404: operatorErrorSchema,
  421: operatorErrorSchema,
  500: operatorErrorSchema,
} as const;

const contract = initContract();
const campaignIDParams = z.object({ campaignID: z.string().meta({ description: 'The campaign.' }) });
const grantIDParams = z.object({ grantID: z.string().meta({ description: 'The grant.' }) });
const betIDParams = z.object({ betID: z.string().meta({ description: 'The round.' }) });

/** Operators send these requests to the server. Each is signed and names its operator. */
export const operatorContract = contract.router(
  {
    listGames: {
      ...OPERATOR_ROUTES.listGames,
      summary: 'List the games',
      description: 'The games that can be launched now, for a lobby.',
      responses: { 200: listGamesResponseSchema, ...REFUSALS },
    },
    createSession: {
      ...OPERATOR_ROUTES.createSession,
      summary: 'Launch a game',
      description:
        'Makes a session and returns the launch URL. When the game authenticates, the wallet confirms the player.',
      body: createSessionRequestSchema,
      responses: { 200: createSessionResponseSchema, ...REFUSALS },
    },
    endSessions: {
      ...OPERATOR_ROUTES.endSessions,
      summary: 'End sessions',
      description:
        'Ends one session, or all of a player, at once. It can be repeated. An open round stays open and its payout owed.',
      body: endSessionsRequestSchema,
      responses: { 200: endSessionsResponseSchema, ...REFUSALS },
    },
    revokeSession: {
      ...OPERATOR_ROUTES.revokeSession,
      summary: 'End a session',
      description:
        'Every later request of the session is ERR_IS. An open round stays open: another session of the player resumes it.',
      pathParams: z.object({ sessionID: z.string().meta({ description: 'The session.' }) }),
      responses: { 200: revokeSessionResponseSchema, ...REFUSALS },
    },
    listRounds: {
      ...OPERATOR_ROUTES.listRounds,
      summary: 'List rounds',
      description: 'The rounds of this operator, newest first, page by page.',
      query: listRoundsQuerySchema,
      responses: { 200: listRoundsResponseSchema, ...REFUSALS },
    },
    listPlayerRounds: {
      ...OPERATOR_ROUTES.listPlayerRounds,
      summary: "List a player's rounds",
      description: 'The statement of a player: all rounds in all currencies, newest first, page by page.',
      pathParams: z.object({ playerID: storedPlayerIDSchema }),
      query: listPlayerRoundsQuerySchema,
      responses: { 200: listRoundsResponseSchema, ...REFUSALS },
    },
    getRound: {
      ...OPERATOR_ROUTES.getRound,
      summary: 'Read a round',
      description:
        'The round with its wallet transactions, its recorded events page by page, and a replay URL. A round has at most 1000 events.',
      pathParams: betIDParams,
      query: roundDetailQuerySchema,
      responses: { 200: roundDetailSchema, ...REFUSALS },
    },
    voidRound: {
      ...OPERATOR_ROUTES.voidRound,
      summary: 'Void a round',
      description:
        'Closes an open round without a payout and rolls its bet back. It can be repeated. A round that is settled, or whose credit is pending, is ERR_VAL.',
      pathParams: betIDParams,
      body: voidRoundRequestSchema,
      responses: { 200: roundDetailSchema, ...REFUSALS },
    },
    createCampaign: {
      ...OPERATOR_ROUTES.createCampaign,
      summary: 'Create a campaign',
      description:
        'Says what free rounds each player of the campaign gets. The same campaignID with the same content is the same success again; with other content it is ERR_VAL.',
      body: createCampaignRequestSchema,
      responses: { 200: campaignSchema, ...REFUSALS },
    },
    listCampaigns: {
      ...OPERATOR_ROUTES.listCampaigns,
      summary: 'List campaigns',
      description: 'The campaigns of this operator, newest first, page by page.',
      query: listCampaignsQuerySchema,
      responses: { 200: listCampaignsResponseSchema, ...REFUSALS },
    },
    getCampaign: {
      ...OPERATOR_ROUTES.getCampaign,
      summary: 'Read a campaign',
      description: 'The campaign, and how many of its rounds are played.',
      pathParams: campaignIDParams,
      responses: { 200: campaignSchema, ...REFUSALS },
    },
    cancelCampaign: {
      ...OPERATOR_ROUTES.cancelCampaign,
      summary: 'Cancel a campaign',
      description:
        'Takes the unused rounds of all its grants, and gives no more. It can be repeated. An open round is finished and paid.',
      pathParams: campaignIDParams,
      body: cancelRequestSchema,
      responses: { 200: campaignSchema, ...REFUSALS },
    },
    giveGrants: {
      ...OPERATOR_ROUTES.giveGrants,
      summary: 'Give free rounds',
      description:
        'To one player or up to 10,000: all of them or none. The same grantID with the same content is the same success again; with other content it is ERR_VAL.',
      body: giveGrantsRequestSchema,
      responses: { 200: giveGrantsResponseSchema, ...REFUSALS },
    },
    listGrants: {
      ...OPERATOR_ROUTES.listGrants,
      summary: 'List grants',
      description: 'The grants of this operator, newest first, page by page.',
      query: listGrantsQuerySchema,
      responses: { 200: listGrantsResponseSchema, ...REFUSALS },
    },
    getGrant: {
      ...OPERATOR_ROUTES.getGrant,
      summary: 'Read a grant',
      description: 'The grant as it is now.',
      pathParams: grantIDParams,
      responses: { 200: operatorGrantSchema, ...REFUSALS },
    },
    cancelGrant: {
      ...OPERATOR_ROUTES.cancelGrant,
      summary: 'Cancel a grant',
      description:
        'Takes its unused rounds. It can be repeated; a grant that has ended stays as it is. An open round is finished and paid.',
      pathParams: grantIDParams,
      body: cancelRequestSchema,
      responses: { 200: operatorGrantSchema, ...REFUSALS },
    },
    listGrantChanges: {
      ...OPERATOR_ROUTES.listGrantChanges,
      summary: 'List changed grants',
      description:
        'Each grant that changed since the cursor, once, as it is now: in the order of their last changes. A poll with the last cursor never misses a change.',
      query: listGrantChangesQuerySchema,
      responses: { 200: listGrantChangesResponseSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);
