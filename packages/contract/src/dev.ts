import { initContract } from '@ts-rest/core';
import {
  forceNextRequestSchema,
  forceNextResponseSchema,
  searchBookRequestSchema,
  searchBookResponseSchema,
  startSessionRequestSchema,
  startSessionResponseSchema,
} from './devSchemas.ts';
import { faultPlanSchema } from './faultPlan.ts';
import { DEV_ROUTES } from './routes.ts';
import { errorBodySchema } from './schemas.ts';

const refusals = { 400: errorBodySchema, 404: errorBodySchema, 500: errorBodySchema } as const;

const contract = initContract();

/** For local work only: in production these paths do not exist. */
export const devContract = contract.router(
  {
    startSession: {
      ...DEV_ROUTES.startSession,
      summary: 'Start a session of a test player',
      description: 'Issues a session as an operator would, and answers the launch URL.',
      body: startSessionRequestSchema,
      responses: { 200: startSessionResponseSchema, ...refusals },
    },
    searchBook: {
      ...DEV_ROUTES.searchBook,
      summary: 'Preview a book',
      description: 'Shows a published book as the round that it would be. No money moves and no round is opened.',
      body: searchBookRequestSchema,
      responses: { 200: searchBookResponseSchema, ...refusals },
    },
    forceNext: {
      ...DEV_ROUTES.forceNext,
      summary: 'Force the next outcome',
      description:
        'The next play of this session in this mode takes this book, or one of this kind, in place of a drawn one. Once.',
      body: forceNextRequestSchema,
      responses: { 200: forceNextResponseSchema, ...refusals },
    },
    getFaults: {
      ...DEV_ROUTES.getFaults,
      summary: 'Read the faults',
      description: 'The faults that are switched on for the five endpoints, with what is left of them.',
      responses: { 200: faultPlanSchema, ...refusals },
    },
    setFaults: {
      ...DEV_ROUTES.setFaults,
      summary: 'Switch faults on',
      description: 'Lets calls to the five endpoints go wrong from now on, in place of what was switched on before.',
      body: faultPlanSchema,
      responses: { 200: faultPlanSchema, ...refusals },
    },
    clearFaults: {
      ...DEV_ROUTES.clearFaults,
      summary: 'Switch faults off',
      description: 'Lets all calls be answered as they should be; answers the plan that is left, which is empty.',
      body: contract.noBody(),
      responses: { 200: faultPlanSchema, ...refusals },
    },
  },
  { strictStatusCodes: true },
);
