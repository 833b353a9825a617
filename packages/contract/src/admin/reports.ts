import * as z from 'zod';
import { currencySchema, microsSchema, storableTextOf } from '../fields.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  daySchema,
  pageQuerySchema,
  pageSchema,
  sumSchema,
} from './adminSchemas.ts';

/** Revenue is grouped by any of these, and always by currency. */
export const REVENUE_GROUPS = ['day', 'operator', 'game'] as const;
/** A response has at most this many rows of revenue. */
export const MAX_REVENUE_ROWS = 2000;
const MAX_DAYS = 366;
const MS_PER_DAY = 86_400_000;

const countSchema = z.number().int().min(0);
const codeSchema = storableTextOf(100, 'A code, as it was given.');

/** Days of UTC by the completion of rounds, both included. */
const reportQuerySchema = z.object({
  from: daySchema.optional().meta({ description: 'First day; without it, from the first round on.' }),
  to: daySchema.optional().meta({ description: 'Last day; without it, today.' }),
  operator: codeSchema.optional().meta({ description: 'Code of the operator.' }),
  game: codeSchema.optional(),
});

const revenueQuerySchema = reportQuerySchema
  .extend({
    from: daySchema,
    to: daySchema,
    currency: currencySchema.optional(),
    by: z
      .string()
      .regex(/^(day|operator|game)(,(day|operator|game)){0,2}$/)
      .optional()
      .meta({ description: `A list of ${REVENUE_GROUPS.join(', ')}, separated by commas.`, examples: ['day,game'] }),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * MS_PER_DAY, {
    path: ['from'],
    error: `one report has at most ${MAX_DAYS} days`,
  });

const revenueSumsSchema = z.object({
  currency: currencySchema,
  rounds: countSchema.meta({ description: 'Rounds that players paid, complete and not void.' }),
  bets: sumSchema,
  payouts: sumSchema,
  ggr: sumSchema.meta({ description: 'bets − payouts.' }),
  freeRounds: countSchema.meta({ description: 'Rounds that the operator paid: they are in no other sum.' }),
  freeBets: sumSchema.meta({ description: 'What the bets of the free rounds would have cost.' }),
  freePayouts: sumSchema,
  voidRounds: countSchema,
  voidBets: sumSchema,
});

export const revenueRowSchema = revenueSumsSchema.extend({
  day: daySchema.nullable().meta({ description: 'Null when it is not grouped by day.' }),
  operator: z.string().nullable(),
  game: z.string().nullable(),
});

export const performanceRowSchema = z.object({
  operator: z.string(),
  activity: z.boolean().meta({ description: 'False: the operator has no row, and all that follows is null.' }),
  gameID: z.string().nullable(),
  gameVersion: z.string().nullable(),
  title: z.string().nullable(),
  type: z.string().nullable(),
  status: z.enum(['available', 'withdrawn']).nullable(),
  availableSince: adminInstantSchema.nullable(),
  withdrawnAt: adminInstantSchema.nullable(),
  mode: z.string().nullable(),
  currency: currencySchema.nullable(),
  rounds: countSchema.nullable(),
  bets: sumSchema.nullable(),
  payouts: sumSchema.nullable(),
  ggr: sumSchema.nullable(),
  actualRtp: z.string().nullable().meta({ description: 'In percent, rounded down to four decimals.' }),
  theoreticalRtp: z.string().nullable(),
  voidRounds: countSchema.nullable(),
  voidBets: sumSchema.nullable(),
  interruptedRounds: countSchema.nullable().meta({ description: 'As of now, whatever the days.' }),
  interruptedBets: sumSchema.nullable(),
  freeRounds: countSchema.nullable(),
  freeBets: sumSchema.nullable(),
  freePayouts: sumSchema.nullable(),
});

const rtpSchema = z.number().nullable();

/** RTPs are fractions of 1; null without rounds, or without a stored table. */
export const rtpRowSchema = z.object({
  game: z.string(),
  version: z.string(),
  mode: z.string(),
  currency: currencySchema,
  status: z.enum(['available', 'withdrawn']),
  availableSince: adminInstantSchema,
  withdrawnAt: adminInstantSchema.nullable(),
  rounds: sumSchema,
  bets: sumSchema,
  payouts: sumSchema,
  freeRounds: sumSchema,
  freeBets: sumSchema,
  freePayouts: sumSchema,
  voidRounds: sumSchema,
  voidBets: sumSchema,
  openRounds: sumSchema,
  openBets: sumSchema,
  openPayouts: sumSchema,
  rtp: rtpSchema,
  theoreticalRtp: rtpSchema,
  zScore: rtpSchema,
  low: rtpSchema.meta({ description: 'The interval that holds the RTP with a confidence of 99.9 %.' }),
  high: rtpSchema,
  roundsForOnePoint: rtpSchema.meta({
    description: 'After about this number of rounds a deviation of one point shows.',
  }),
});

export const interruptedRoundSchema = z.object({
  betID: z.number().int(),
  operator: z.string(),
  playerID: z.string(),
  gameID: z.string(),
  mode: z.string(),
  currency: currencySchema,
  debit: microsSchema.meta({ description: 'What the bet costs: the player, or for a free round the operator.' }),
  payout: microsSchema,
  grantID: z.string().nullable(),
  activeAt: adminInstantSchema.meta({ description: 'The player did something in it last at this time.' }),
  dueAt: adminInstantSchema.nullable().meta({ description: 'The server completes it then; null for never.' }),
});

export const reportRoutes = {
  getRevenue: {
    ...ADMIN_ROUTES.getRevenue,
    summary: 'Report GGR by day, operator, game and currency',
    query: revenueQuerySchema,
    responses: {
      200: z.object({
        items: z.array(revenueRowSchema).meta({ description: 'The newest day first.' }),
        totals: z.array(revenueSumsSchema).meta({ description: 'Of all rows, for each currency.' }),
        isCut: z.boolean().meta({ description: `There are more than ${MAX_REVENUE_ROWS} rows: a download has all.` }),
      }),
      ...ADMIN_REFUSALS,
    },
  },
  getPerformance: {
    ...ADMIN_ROUTES.getPerformance,
    summary: 'Report the performance of games, as `roundhouse report`',
    query: reportQuerySchema,
    responses: {
      200: z.object({
        from: daySchema.nullable(),
        to: daySchema,
        generatedAt: adminInstantSchema,
        items: z.array(performanceRowSchema),
      }),
      ...ADMIN_REFUSALS,
    },
  },
  getRtpReport: {
    ...ADMIN_ROUTES.getRtpReport,
    summary: 'Compare what games returned with their lookup tables, as `roundhouse rtp`',
    query: reportQuerySchema,
    responses: { 200: z.object({ items: z.array(rtpRowSchema) }), ...ADMIN_REFUSALS },
  },
  listInterruptedRounds: {
    ...ADMIN_ROUTES.listInterruptedRounds,
    summary: 'List open rounds that wait for their players for an hour or longer',
    query: pageQuerySchema.extend({ operator: codeSchema.optional(), game: codeSchema.optional() }),
    responses: { 200: pageSchema(interruptedRoundSchema), ...ADMIN_REFUSALS },
  },
} as const;

export type RevenueGroup = (typeof REVENUE_GROUPS)[number];
export type RevenueRow = z.infer<typeof revenueRowSchema>;
export type PerformanceReportRow = z.infer<typeof performanceRowSchema>;
export type RtpReportRow = z.infer<typeof rtpRowSchema>;
export type AdminInterruptedRound = z.infer<typeof interruptedRoundSchema>;
