import { initContract } from '@ts-rest/core';
import * as z from 'zod';
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
import { playerIDSchema } from './walletSchemas.ts';

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
} as const;

export type OperatorRouteName = keyof typeof OPERATOR_ROUTES;

/** 401: the operator is unknown or the signature is wrong. 404: this operator has no such thing. */
const REFUSALS = {
  400: operatorErrorSchema,
  401: operatorErrorSchema,
  404: operatorErrorSchema,
  500: operatorErrorSchema,
} as const;

const contract = initContract();
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
      pathParams: z.object({ playerID: playerIDSchema }),
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
  },
  { strictStatusCodes: true },
);
