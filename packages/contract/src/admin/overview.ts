import * as z from 'zod';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import { ADMIN_REFUSALS, adminInstantSchema, daySchema, sumSchema } from './adminSchemas.ts';

/** What players staked and won in a day of UTC, without void rounds. */
export const dayTotalsSchema = z.object({
  rounds: z.number().int().min(0).meta({ description: 'Completed rounds that players paid.' }),
  bets: sumSchema,
  payouts: sumSchema,
  ggr: sumSchema.meta({ description: 'Bets minus payouts.' }),
  rtp: z.number().nullable().meta({ description: 'Payouts ÷ bets; null without a bet.' }),
  freeRounds: z
    .number()
    .int()
    .min(0)
    .meta({ description: 'Completed rounds that the operator paid: in no sum above.' }),
  freePayouts: sumSchema,
});

const comparedShape = {
  currency: z.string(),
  today: dayTotalsSchema,
  lastWeek: dayTotalsSchema.meta({ description: 'The whole of the same weekday of last week.' }),
};
export const operatorDaySchema = z.object({ operator: z.string(), ...comparedShape });
export const gameDaySchema = z.object({ game: z.string(), ...comparedShape });

/** Each bucket counts what is older than the one before allows. */
export const AGE_BUCKETS = ['minute', 'tenMinutes', 'hour', 'day', 'older'] as const;

const ageCountsSchema = z.object(
  Object.fromEntries(AGE_BUCKETS.map((bucket) => [bucket, z.number().int().min(0)])) as Record<
    (typeof AGE_BUCKETS)[number],
    z.ZodNumber
  >,
);

export const unsettledSchema = z.object({
  operator: z.string(),
  state: z.enum(['pending', 'parked']),
  count: z.number().int().min(1),
  ages: ageCountsSchema.meta({ description: 'How many were created less than that long ago.' }),
});

export const failingWalletSchema = z.object({
  operator: z.string(),
  outageSince: adminInstantSchema
    .nullable()
    .meta({ description: 'Ten requests in a row had failed then, and no later one is known to have succeeded.' }),
  results: z
    .array(z.object({ resultCode: z.string(), count: z.number().int().min(1), lastAt: adminInstantSchema }))
    .meta({ description: 'The last results of its unsettled wallet transactions, the most frequent first.' }),
});

export const rtpAlarmSchema = z.object({
  game: z.string(),
  version: z.string(),
  mode: z.string(),
  currency: z.string(),
  period: z.string().meta({ description: '`life`, a month as 2026-11, or a day as 2026-11-23.' }),
  rounds: z.string(),
  rtp: z.number(),
  raisedAt: adminInstantSchema,
});

export const nodeSchema = z.object({
  node: z.string(),
  version: z.string(),
  startedAt: adminInstantSchema,
  stoppedAt: adminInstantSchema.nullable().meta({ description: 'Null while it runs, and after a crash.' }),
  clockOffsetMs: z.number().nullable().meta({ description: 'While it is more than a second; else null.' }),
  install: z.enum(['verified', 'mismatch', 'unchecked']),
});

export const overviewSchema = z.object({
  at: adminInstantSchema.meta({ description: 'When the tables were read.' }),
  day: daySchema.meta({ description: 'The day of `today`, of UTC.' }),
  lastWeekDay: daySchema,
  playsPerSecond: z.number().nullable().meta({
    description: 'Between two readings. For a user of an operator: completed rounds. Null after the first reading.',
  }),
  openRounds: z.number().int().min(0),
  operators: z.array(operatorDaySchema),
  games: z.array(gameDaySchema),
  unsettled: z.array(unsettledSchema),
  failingWallets: z.array(failingWalletSchema),
  rtpAlarms: z.array(rtpAlarmSchema).nullable().meta({
    description: 'The newest ones. They are of all operators together, so null for a user of an operator.',
  }),
  nodes: z.array(nodeSchema).nullable().meta({ description: 'Null for a user of an operator.' }),
});

export const overviewRoutes = {
  getOverview: {
    ...ADMIN_ROUTES.getOverview,
    summary: 'Read the state of today',
    responses: { 200: overviewSchema, ...ADMIN_REFUSALS },
  },
} as const;

/** An event has the whole overview, later ones only the members that changed. */
export const overviewEventSchema = overviewSchema.partial();

export const overviewStreams = {
  watchOverview: {
    ...ADMIN_ROUTES.watchOverview,
    summary: 'Follow the state of today',
    description:
      'Server-sent events. `overview`: the whole at first, then every 2 s the members that changed. `away`: the database does not respond. `end`: the session has ended. One user follows at most 6 at a time; one more is 429.',
    responses: { 200: overviewEventSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type DayTotals = z.infer<typeof dayTotalsSchema>;
export type Overview = z.infer<typeof overviewSchema>;
export type OverviewNode = z.infer<typeof nodeSchema>;
export type AgeBucket = (typeof AGE_BUCKETS)[number];
