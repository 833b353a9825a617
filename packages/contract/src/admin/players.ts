import * as z from 'zod';
import { currencySchema, storableTextOf, unsignedMicrosSchema } from '../fields.ts';
import { storedPlayerIDSchema } from '../operator/walletSchemas.ts';
import { MAX_MODE_CHARACTERS } from '../text.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  approvalPendingSchema,
  daySchema,
  pageQuerySchema,
  pageSchema,
  sumSchema,
} from './adminSchemas.ts';
import { SESSION_STATES } from './rounds.ts';

/** A net position has at most this many days. */
export const MAX_NET_POSITION_DAYS = 92;
const MAX_PREFIX_CHARACTERS = 128;

const limitSchema = unsignedMicrosSchema.nullable();
const operatorCodeSchema = storableTextOf(MAX_MODE_CHARACTERS, 'Code of an operator.');
const playerParams = z.object({ operator: operatorCodeSchema, playerID: storedPlayerIDSchema });
const bodyLimitSchema = limitSchema.optional().meta({
  description: 'Micros of a day (UTC). Null removes the limit; left out, it stays as it is.',
});

export const adminPlayerSchema = z.object({
  operator: z.string(),
  playerID: z.string(),
  country: z.string().nullable(),
  createdAt: adminInstantSchema,
  loginExpiresAt: adminInstantSchema.nullable().meta({ description: 'Null: the login does not expire.' }),
  currencies: z.array(z.string()).meta({ description: 'Those of its accounts.' }),
});

export const playerAccountSchema = z.object({
  currency: z.string(),
  balance: unsignedMicrosSchema.nullable().meta({ description: 'Null where the operator keeps the money.' }),
  wageredToday: unsignedMicrosSchema.meta({ description: 'Bets of today (UTC), without free rounds.' }),
  wonToday: unsignedMicrosSchema,
  dailyWager: limitSchema.meta({ description: 'Limit of the player; null for none.' }),
  dailyLoss: limitSchema,
  operator: z
    .object({ maxBet: limitSchema, dailyWager: limitSchema, dailyLoss: limitSchema })
    .meta({ description: 'Limits of the operator, which hold beside those of the player.' }),
  activeAt: adminInstantSchema.nullable().meta({ description: 'When the player was last active in this currency.' }),
});

export const playerPageSchema = z.object({
  player: adminPlayerSchema,
  accounts: z.array(playerAccountSchema),
  openSessions: z.int().min(0).meta({ description: 'Sessions in which the player can play now.' }),
});

/** No sessionID and no token is a part of it. */
export const playerSessionSchema = z.object({
  sessionNumber: z.int().min(1),
  gameID: z.string(),
  gameVersion: z.string(),
  currency: z.string(),
  country: z.string().nullable(),
  state: z.enum([...SESSION_STATES, 'expired']),
  createdAt: adminInstantSchema,
  expiresAt: adminInstantSchema,
  lastActiveAt: adminInstantSchema,
  maxStake: limitSchema,
});

export const netPositionSchema = z.object({
  days: z
    .array(
      z.object({
        day: daySchema,
        currency: z.string(),
        rounds: z.int().min(0),
        bets: sumSchema.meta({ description: 'What the player paid for bets: free rounds cost nothing.' }),
        payouts: sumSchema.meta({ description: 'What the completed ones pay.' }),
        net: sumSchema.meta({ description: 'Payouts minus bets: above zero the player has won.' }),
      }),
    )
    .meta({
      description: 'Rounds by the day (UTC) of their opening, without void ones. A day without rounds is left out.',
    }),
});

export const playerRoutes = {
  listPlayers: {
    ...ADMIN_ROUTES.listPlayers,
    summary: 'List players by their names',
    query: pageQuerySchema.extend({
      operator: operatorCodeSchema.optional(),
      prefix: storableTextOf(MAX_PREFIX_CHARACTERS, 'Begins the name of each player.').optional(),
    }),
    responses: { 200: pageSchema(adminPlayerSchema), ...ADMIN_REFUSALS },
  },
  getPlayer: {
    ...ADMIN_ROUTES.getPlayer,
    summary: 'Read a player',
    pathParams: playerParams,
    responses: { 200: playerPageSchema, ...ADMIN_REFUSALS },
  },
  listPlayerSessions: {
    ...ADMIN_ROUTES.listPlayerSessions,
    summary: 'List the sessions of a player',
    pathParams: playerParams,
    query: pageQuerySchema,
    responses: { 200: pageSchema(playerSessionSchema), ...ADMIN_REFUSALS },
  },
  getNetPosition: {
    ...ADMIN_ROUTES.getNetPosition,
    summary: 'Read what a player has won or lost by day',
    pathParams: playerParams,
    query: z.object({
      from: daySchema.meta({ description: 'First day (UTC).' }),
      to: daySchema.meta({ description: `Last day (UTC), at most ${MAX_NET_POSITION_DAYS} days with the first.` }),
    }),
    responses: { 200: netPositionSchema, ...ADMIN_REFUSALS },
  },
  setPlayerLimits: {
    ...ADMIN_ROUTES.setPlayerLimits,
    summary: 'Set the daily limits of a player in a currency',
    pathParams: playerParams,
    body: z
      .object({ currency: currencySchema, dailyWager: bodyLimitSchema, dailyLoss: bodyLimitSchema })
      .refine(({ dailyWager, dailyLoss }) => dailyWager !== undefined || dailyLoss !== undefined, {
        error: 'must hold dailyWager or dailyLoss',
      }),
    responses: { 200: playerPageSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  setLoginExpiry: {
    ...ADMIN_ROUTES.setLoginExpiry,
    summary: 'Set when the login of a player expires',
    pathParams: playerParams,
    body: z.object({
      loginExpiresAt: z
        .union([adminInstantSchema, z.literal('now')])
        .nullable()
        .meta({
          description: 'Null: the login does not expire. `now` is by the clock of the server.',
        }),
    }),
    responses: { 200: playerPageSchema, ...ADMIN_REFUSALS },
  },
  endPlayerSessions: {
    ...ADMIN_ROUTES.endPlayerSessions,
    summary: 'End every session of a player',
    pathParams: playerParams,
    body: z.object({}),
    responses: { 200: z.object({ ended: z.int().min(0) }), ...ADMIN_REFUSALS },
  },
} as const;

export type AdminPlayer = z.infer<typeof adminPlayerSchema>;
export type PlayerAccount = z.infer<typeof playerAccountSchema>;
export type PlayerPage = z.infer<typeof playerPageSchema>;
export type PlayerSession = z.infer<typeof playerSessionSchema>;
export type NetPosition = z.infer<typeof netPositionSchema>;
