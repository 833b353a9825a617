import * as z from 'zod';
import { ERROR_CODES } from './errors.ts';

/** Every response that is not a success has this body. */
export const errorBodySchema = z
  .object({
    error: z.enum(ERROR_CODES),
    message: z.string().meta({ description: 'Plain English for a log. Not for the player, and not to be parsed.' }),
  })
  .meta({ title: 'ErrorBody', description: 'Why the request was refused.' });

export type ErrorBody = z.infer<typeof errorBodySchema>;

/** Every game endpoint may refuse with these. */
export const REFUSALS = { 400: errorBodySchema, 500: errorBodySchema } as const;
