import * as z from 'zod';
import { currencySchema, positiveMicrosSchema, storableTextOf, unsignedMicrosSchema } from '../fields.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  daySchema,
  pageQuerySchema,
  pageSchema,
  REASON_NEEDED,
  reasonSchema,
  sumSchema,
} from './adminSchemas.ts';

const MAX_NAME_CHARACTERS = 100;

/** A name of a path or a filter. One that does not exist is unknown, and not malformed. */
const name = (description: string) => storableTextOf(MAX_NAME_CHARACTERS, description);

export const MAINTENANCE_LEVELS = ['no_new_rounds', 'nothing_at_all'] as const;
export const MAINTENANCE_SCOPES = ['server', 'operator', 'game'] as const;

const rtpSchema = z
  .number()
  .min(0)
  .nullable()
  .meta({ description: 'Payouts ÷ bets: 0.96 is 96 %; null without bets.' });

/** The sums are over completed rounds that are not void, in micros of the currency. */
const returnSchema = z.object({
  rounds: z.int().min(0),
  bets: sumSchema,
  payouts: sumSchema,
  rtp: rtpSchema,
});

const intervalSchema = z.object({
  low: z.number().nullable().meta({ description: 'The RTP of that number of rounds lies above it with 99.9 %.' }),
  high: z.number().nullable(),
});

const currencyReturnSchema = returnSchema.extend({ currency: currencySchema });

export const adminGameSchema = z.object({
  gameID: z.string(),
  title: z.string().meta({ description: 'Of the newest version.' }),
  version: z.string().meta({ description: 'The newest version.' }),
  versions: z.int().min(1).meta({ description: 'The number of published versions.' }),
  state: z.enum(['available', 'withdrawn']).meta({ description: 'withdrawn: every version is.' }),
  publishedAt: adminInstantSchema.meta({ description: 'Of the newest version.' }),
  maintenance: z.enum(MAINTENANCE_LEVELS).nullable().meta({ description: 'Of the whole game.' }),
  today: z.array(currencyReturnSchema).meta({ description: 'The current day of UTC.' }),
});

const modeSchema = z.object({
  mode: z.string(),
  cost: z.string().meta({ description: 'What a round costs, in base bets: exact decimal text.' }),
  rtp: z.number().min(0).meta({ description: 'RTP of the lookup table, exact but for the last rounding.' }),
  hitRate: z.number().min(0).max(1),
  standardDeviation: z.number().min(0).meta({ description: 'Of payout ÷ cost.' }),
  maxPayout: z.number().min(0).meta({ description: 'The greatest payout, in base bets.' }),
  isFeature: z.boolean().meta({ description: 'A bought feature.' }),
});

const betsSchema = z.object({
  currency: z.string().meta({ description: '`default` holds for each currency that is not named.' }),
  minBet: positiveMicrosSchema,
  maxBet: positiveMicrosSchema,
  stepBet: positiveMicrosSchema,
  betLevels: z.array(positiveMicrosSchema),
});

const versionSchema = z.object({
  version: z.string(),
  title: z.string(),
  state: z.enum(['available', 'withdrawn']),
  publishedAt: adminInstantSchema,
  withdrawnAt: adminInstantSchema.nullable().meta({ description: 'May lie ahead.' }),
  mathSha256: z.string(),
  currencies: z.array(z.string()).meta({ description: 'Empty: every currency.' }),
  openRounds: z.int().min(0).meta({ description: 'Rounds that are not completed now.' }),
  modes: z.array(modeSchema).meta({ description: 'Empty until a node has loaded the version.' }),
  bets: z.array(betsSchema),
});

const activitySchema = returnSchema.extend({
  version: z.string(),
  mode: z.string(),
  currency: currencySchema,
  tableRtp: z.number().nullable(),
  ...intervalSchema.shape,
  zScore: z.number().nullable(),
  openRounds: z.int().min(0),
});

const largeWinSchema = z.object({
  betID: z.int().min(1),
  operator: z.string(),
  playerID: z.string(),
  version: z.string(),
  mode: z.string(),
  currency: currencySchema,
  bet: positiveMicrosSchema,
  payout: unsignedMicrosSchema,
  at: adminInstantSchema,
});

export const maintenanceSchema = z.object({
  scope: z.enum(MAINTENANCE_SCOPES),
  target: z.string().meta({ description: "The operator's code or the game's id; empty for the server." }),
  version: z.string().meta({ description: 'Of a game; empty for all.' }),
  mode: z.string().meta({ description: 'Of a game; empty for all.' }),
  level: z.enum(MAINTENANCE_LEVELS),
  since: adminInstantSchema,
  actor: z.string().nullable().meta({ description: 'Who started it or changed its level last; null when unknown.' }),
  reason: z.string().nullable().meta({ description: 'What the actor gave as the reason.' }),
});

export const adminGameDetailSchema = z.object({
  gameID: z.string(),
  title: z.string(),
  versions: z.array(versionSchema).meta({ description: 'The newest first.' }),
  maintenance: z.array(maintenanceSchema).meta({ description: 'Switches of this game, its versions and modes.' }),
  activity: z
    .array(activitySchema)
    .meta({ description: 'The last 30 days, by version, mode and currency; the open rounds are those of now.' }),
  largestWins: z.array(largeWinSchema).meta({
    description:
      'The greatest payouts among the newest significant events `large_win`: wins from the amount on that the operator has set. The greatest of each currency come first.',
  }),
});

const cumulativeSchema = returnSchema.extend(intervalSchema.shape);

export const gameReturnsSchema = z.object({
  from: daySchema,
  to: daySchema,
  version: z.string(),
  mode: z.string(),
  currency: currencySchema,
  tableRtp: z.number().nullable().meta({ description: 'RTP of the lookup table; null when the database has none.' }),
  roundsForOnePoint: z
    .number()
    .nullable()
    .meta({ description: 'After about this number of rounds the interval is one point wide to either side.' }),
  days: z
    .array(cumulativeSchema.extend({ day: daySchema, cumulative: cumulativeSchema }))
    .meta({ description: 'Days of UTC with rounds, the oldest first; cumulative begins with `from`.' }),
});

const versionParams = z.object({ gameID: name('The game.'), version: name('Its version.') });

export const gameRoutes = {
  listGames: {
    ...ADMIN_ROUTES.listGames,
    summary: 'List games with their return of today',
    query: pageQuerySchema,
    responses: { 200: pageSchema(adminGameSchema), ...ADMIN_REFUSALS },
  },
  getGame: {
    ...ADMIN_ROUTES.getGame,
    summary: 'Read a game: versions, modes, activity, large wins, maintenance',
    pathParams: z.object({ gameID: name('The game.') }),
    responses: { 200: adminGameDetailSchema, ...ADMIN_REFUSALS },
  },
  getGameReturns: {
    ...ADMIN_ROUTES.getGameReturns,
    summary: "Read the return of a mode by day, with the interval of 99.9 % beside the table's RTP",
    pathParams: z.object({ gameID: name('The game.') }),
    query: z.object({
      version: name('The version.'),
      mode: name('The mode, in upper case.'),
      currency: currencySchema,
      operator: name('Rounds at this operator only.').optional(),
      from: daySchema.optional().meta({ description: 'First day of UTC; 29 days before `to` when left out.' }),
      to: daySchema.optional().meta({ description: 'Last day of UTC; today when left out. At most 366 days.' }),
    }),
    responses: { 200: gameReturnsSchema, ...ADMIN_REFUSALS },
  },
  withdrawGame: {
    ...ADMIN_ROUTES.withdrawGame,
    summary: 'Let nobody begin a round in a version any more',
    pathParams: versionParams,
    body: z.strictObject({
      reason: reasonSchema,
      at: z.iso.datetime({ offset: true }).optional().meta({ description: 'Then and not now.' }),
    }),
    responses: { 200: z.object({ withdrawnAt: adminInstantSchema }), ...ADMIN_REFUSALS },
  },
  reinstateGame: {
    ...ADMIN_ROUTES.reinstateGame,
    summary: 'Take a withdrawal back',
    pathParams: versionParams,
    body: z.strictObject({}),
    responses: { 200: z.object({ withdrawnAt: z.null() }), ...ADMIN_REFUSALS },
  },
  listMaintenance: {
    ...ADMIN_ROUTES.listMaintenance,
    summary: 'List the maintenance that is on',
    responses: { 200: z.object({ items: z.array(maintenanceSchema) }), ...ADMIN_REFUSALS },
  },
  setMaintenance: {
    ...ADMIN_ROUTES.setMaintenance,
    summary: 'Switch maintenance on or off, or change its level',
    body: z
      .strictObject({
        scope: z.enum(MAINTENANCE_SCOPES),
        target: storableTextOf(MAX_NAME_CHARACTERS, "The operator's code or the game's id.").optional(),
        version: name('This version of the game alone.').optional(),
        mode: name('New rounds in this mode of the game alone.').optional(),
        level: z.enum(MAINTENANCE_LEVELS).nullable().meta({ description: 'null switches it off.' }),
        reason: reasonSchema.optional().meta({ description: 'Required unless it is switched off.' }),
      })
      .refine(({ level, reason }) => level === null || reason !== undefined, REASON_NEEDED),
    responses: {
      200: z.object({ level: z.enum(MAINTENANCE_LEVELS).nullable(), wasOn: z.boolean() }),
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export type AdminGame = z.infer<typeof adminGameSchema>;
export type AdminGameDetail = z.infer<typeof adminGameDetailSchema>;
export type AdminGameVersion = z.infer<typeof versionSchema>;
export type GameActivity = z.infer<typeof activitySchema>;
export type GameReturns = z.infer<typeof gameReturnsSchema>;
export type LargeWin = z.infer<typeof largeWinSchema>;
export type MaintenanceOnWire = z.infer<typeof maintenanceSchema>;
