import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { currencySchema, modeSchema, nameOf, sentPositiveMicros } from './fields.ts';
import { configSchema, roundSchema } from './game.ts';
import { errorBodySchema } from './refusals.ts';
import { DEMO_ROUTES } from './routes.ts';

const versionOfGame = { game: nameOf('The game.'), version: nameOf('Its version.') };

export const demoConfigRequestSchema = z
  .object({
    ...versionOfGame,
    currency: currencySchema.optional().meta({ description: 'Without it the first that the game is offered in.' }),
  })
  .meta({ title: 'DemoConfigRequest' });
export const demoConfigResponseSchema = z
  .object({ config: configSchema, currency: currencySchema })
  .meta({ title: 'DemoConfigResponse', description: 'How the game may be played for fun.' });

export const demoPlayRequestSchema = z
  .object({
    ...versionOfGame,
    currency: currencySchema,
    amount: sentPositiveMicros('Base bet in micros of play money.'),
    mode: modeSchema,
  })
  .meta({ title: 'DemoPlayRequest' });
export const demoPlayResponseSchema = z.object({ round: roundSchema }).meta({
  title: 'DemoPlayResponse',
  description: 'A drawn round, of which the server keeps nothing. Its betID is 0.',
});

export type DemoConfigRequest = z.infer<typeof demoConfigRequestSchema>;
export type DemoConfigResponse = z.infer<typeof demoConfigResponseSchema>;
export type DemoPlayRequest = z.infer<typeof demoPlayRequestSchema>;
export type DemoPlayResponse = z.infer<typeof demoPlayResponseSchema>;

const REFUSALS = { 400: errorBodySchema, 500: errorBodySchema } as const;

/** Fun mode has play money, which the page keeps. Every request is ERR_VAL where it is off. */
export const demoContract = initContract().router(
  {
    demoConfig: {
      ...DEMO_ROUTES.demoConfig,
      summary: 'Read the config for fun mode',
      description: 'What authenticate says about the game, without a session.',
      body: demoConfigRequestSchema,
      responses: { 200: demoConfigResponseSchema, ...REFUSALS },
    },
    demoPlay: {
      ...DEMO_ROUTES.demoPlay,
      summary: 'Draw a round for fun',
      description: 'Checks the bet as play does and draws a book. No money moves and nothing is stored.',
      body: demoPlayRequestSchema,
      responses: { 200: demoPlayResponseSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);
