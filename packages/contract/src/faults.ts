import * as z from 'zod';
import { storableTextOf } from './fields.ts';

/**
 * What a fault switch can do to a request, for tests and local work. Except for `error` (unless
 * `afterWork`) and `lost_request`, the work of the request is done:
 * - `error`: a response with an error code, or a 500 without one;
 * - `delay`: the work, and so the response, comes late; also for a caller who has hung up
 *   meanwhile;
 * - `lost_response`: the work is done, then the connection is cut within the response;
 * - `lost_request`: the same, and no work is done;
 * - `silent_close`: the work is done, then the connection ends before the response. Some clients
 *   repeat such a request on a new connection, as this server does once at a wallet;
 * - `malformed_response`: the work is done, and the response is a 200 that is not JSON;
 * - `duplicate`: the request is delivered twice at once, and the first response is returned.
 */
export const FAULT_KINDS = [
  'error',
  'delay',
  'lost_response',
  'lost_request',
  'silent_close',
  'malformed_response',
  'duplicate',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault delays a request by at most this. */
export const MAX_FAULT_DELAY_MS = 600_000;
const MAX_FAULTS = 100;
const MAX_PLAYER_CHARACTERS = 128;
const MAX_NEXT = 1_000_000;
const MAX_FAULT_SECONDS = 86_400;
/**
 * A fault of the local routes ends after this number of seconds, when the plan does not say
 * otherwise.
 */
export const DEFAULT_FAULT_SECONDS = 600;

export const faultSchema = z
  .object({
    kind: z.enum(FAULT_KINDS),
    path: z
      .string()
      .regex(/^\/[\w./-]{0,127}$/)
      .optional()
      .meta({ description: 'Only requests to exactly this path; without it all paths behind the switch.' }),
    error: z
      .string()
      .regex(/^ERR_[A-Z]{1,16}$/)
      .optional()
      .meta({
        description: 'Kind `error`: the code of the response; without it the response is a 500 without a code.',
      }),
    afterWork: z.boolean().optional().meta({
      description: 'Kind `error`: true does the work first, so the response says nothing certain. False when left out.',
    }),
    delayMs: z
      .int()
      .min(1)
      .max(MAX_FAULT_DELAY_MS)
      .optional()
      .meta({ description: 'Kind `delay`, which needs it: how long, in milliseconds.' }),
    next: z.int().min(1).max(MAX_NEXT).optional().meta({ description: 'How many of the next requests it affects.' }),
    playerID: storableTextOf(
      MAX_PLAYER_CHARACTERS,
      'Only requests of this player, by the name that the operator gives; without it those of all players.',
    ).optional(),
    seconds: z
      .int()
      .min(1)
      .max(MAX_FAULT_SECONDS)
      .optional()
      .meta({
        description: `For how long it is on, and in a response how long it still is; ${DEFAULT_FAULT_SECONDS} when left out.`,
      }),
    share: z.number().gt(0).max(1).optional().meta({
      description:
        'Which share of the requests it affects. Shares of one plan add up: one fault at most affects a request.',
    }),
  })
  .refine(({ next, share }) => (next === undefined) !== (share === undefined), {
    error: 'needs exactly one of next and share',
  })
  .refine(({ kind, delayMs }) => (kind === 'delay') === (delayMs !== undefined), {
    error: 'delayMs belongs to the kind delay, which needs it',
  })
  .refine(({ kind, error, afterWork }) => kind === 'error' || (error === undefined && afterWork === undefined), {
    error: 'error and afterWork belong to the kind error',
  })
  .meta({ title: 'Fault' });

export const faultPlanSchema = z
  .object({
    faults: z.array(faultSchema).max(MAX_FAULTS),
    seed: z.int().min(0).optional().meta({
      description: 'Makes shares repeatable: the same plan affects the same requests of the same sequence.',
    }),
  })
  .meta({
    title: 'FaultPlan',
    description: 'The active faults. The first that applies affects a request; `next` and `seconds` count down.',
  });

export type Fault = z.infer<typeof faultSchema>;
export type FaultPlan = z.infer<typeof faultPlanSchema>;
