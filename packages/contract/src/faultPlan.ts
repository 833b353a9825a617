import * as z from 'zod';

/**
 * What a fault switch can do to a call, for tests and local work. Except for `error` (unless `afterWork`) and `cut`, the work of
 * the call is done:
 * - `error`: an answer with an error code, or a 500 without one;
 * - `delay`: the work, and so the answer, comes late; also for a caller who has hung up meanwhile;
 * - `lost_answer`: the work is done, then the connection is cut;
 * - `cut`: the connection is cut and no work is done;
 * - `garbage`: the work is done, and the answer is a 200 that is not JSON;
 * - `duplicate`: the call is delivered twice at once, and the first answer is given.
 */
export const FAULT_KINDS = ['error', 'delay', 'lost_answer', 'cut', 'garbage', 'duplicate'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Longest delay of a fault, in milliseconds. */
export const MAX_FAULT_DELAY_MS = 600_000;
const MAX_FAULTS = 100;
const MAX_NEXT = 1_000_000;

export const faultSchema = z
  .object({
    kind: z.enum(FAULT_KINDS),
    path: z
      .string()
      .regex(/^\/[\w./-]{0,127}$/)
      .optional()
      .meta({ description: 'Only calls to exactly this path; without it all paths that the switch guards.' }),
    error: z
      .string()
      .regex(/^ERR_[A-Z]{1,16}$/)
      .optional()
      .meta({ description: 'Kind `error`: the code that is answered; without it the answer is a 500 without a code.' }),
    afterWork: z.boolean().optional().meta({
      description: 'Kind `error`: true does the work first, so the answer says nothing certain. False when left out.',
    }),
    delayMs: z
      .int()
      .min(1)
      .max(MAX_FAULT_DELAY_MS)
      .optional()
      .meta({ description: 'Kind `delay`, which needs it: how long, in milliseconds.' }),
    next: z.int().min(1).max(MAX_NEXT).optional().meta({ description: 'How many of the next calls it meets.' }),
    share: z.number().gt(0).max(1).optional().meta({
      description: 'Which share of the calls it meets. Shares of one plan add up: a call meets at most one fault.',
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
      description: 'Makes shares repeatable: the same plan meets the same calls of the same sequence.',
    }),
  })
  .meta({
    title: 'FaultPlan',
    description: 'The faults that are switched on. A call meets the first of them that applies; `next` counts down.',
  });

export type Fault = z.infer<typeof faultSchema>;
export type FaultPlan = z.infer<typeof faultPlanSchema>;
