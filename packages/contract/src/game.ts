import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { idempotencyKeySchema } from './fields.ts';
import { GAME_ROUTES } from './routes.ts';
import {
  authenticateRequestSchema,
  authenticateResponseSchema,
  balanceRequestSchema,
  balanceResponseSchema,
  endRoundRequestSchema,
  endRoundResponseSchema,
  errorBodySchema,
  eventRequestSchema,
  eventResponseSchema,
  playRequestSchema,
  playResponseSchema,
  replayResponseSchema,
} from './schemas.ts';

/** The refusals of every game endpoint. */
const REFUSALS = { 400: errorBodySchema, 500: errorBodySchema } as const;

/** What a game may request: the five game endpoints, and replay. */
export const gameContract = initContract().router(
  {
    authenticate: {
      ...GAME_ROUTES.authenticate,
      summary: 'Validate a session',
      description:
        'The first request of a session; until it succeeds every other one is ERR_IS. It can be repeated: it returns the state and changes nothing.',
      body: authenticateRequestSchema,
      responses: { 200: authenticateResponseSchema, ...REFUSALS },
    },
    balance: {
      ...GAME_ROUTES.balance,
      summary: 'Read the balance',
      description: 'For periodic refresh. It does not keep an idle session alive.',
      body: balanceRequestSchema,
      responses: { 200: balanceResponseSchema, ...REFUSALS },
    },
    play: {
      ...GAME_ROUTES.play,
      summary: 'Start a round',
      description:
        'Debits the base bet times the cost multiplier of the mode, and opens a round. While a round is active it is ERR_VAL and nothing moves. A mode may close a round that pays nothing at once: it then comes back with `active: false`.',
      headers: { 'idempotency-key': idempotencyKeySchema },
      body: playRequestSchema,
      responses: { 200: playResponseSchema, ...REFUSALS },
    },
    endRound: {
      ...GAME_ROUTES.endRound,
      summary: 'Complete the round',
      description:
        'Credits the payout. It can be repeated: when the last round is completed already, it returns the balance and pays nothing. For a player who has never played it is ERR_VAL.',
      body: endRoundRequestSchema,
      responses: { 200: endRoundResponseSchema, ...REFUSALS },
    },
    event: {
      ...GAME_ROUTES.event,
      summary: 'Record a player action',
      description:
        'Keeps an action of the active round, so that play can resume after a disconnect. Without an active round it is ERR_VAL.',
      body: eventRequestSchema,
      responses: { 200: eventResponseSchema, ...REFUSALS },
    },
    replay: {
      ...GAME_ROUTES.replay,
      summary: 'Read a published book',
      description: 'Needs no session. A published version never changes, so the response may be cached for ever.',
      // No limits here: a name that does not exist is 404.
      pathParams: z.object({
        game: z.string().meta({ description: 'Game id.' }),
        version: z.string().meta({ description: 'Game version.' }),
        mode: z.string().meta({ description: 'Bet mode, in upper or lower case.' }),
        event: z.string().meta({ description: 'Id of the book.' }),
      }),
      responses: { 200: replayResponseSchema, 404: errorBodySchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);
