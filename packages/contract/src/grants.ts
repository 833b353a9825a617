import * as z from 'zod';
import { plainTextOf, positiveMicrosSchema, sessionIDSchema, storableTextOf, unsignedMicrosSchema } from './fields.ts';

/** A grantID or campaignID has at most this many characters. */
export const MAX_GRANT_ID_CHARACTERS = 64;

const GRANT_ID = [
  MAX_GRANT_ID_CHARACTERS,
  "The operator's own id of a grant: one player's free rounds.",
  'welcome-player-7',
] as const;
/** Names a grant that is stored, perhaps from before names had to be plain text. */
export const grantIDSchema = storableTextOf(...GRANT_ID);
/** Names a grant that is given now. */
export const newGrantIDSchema = plainTextOf(...GRANT_ID);

/**
 * offered: the player has not accepted it yet. accepted: it has been accepted, or played. finished:
 * all rounds are played. expired, cancelled (by the operator) and declined (by the player): the
 * unused rounds are gone.
 */
export const GRANT_STATES = ['offered', 'accepted', 'finished', 'expired', 'cancelled', 'declined'] as const;

/** Free rounds can be played in these states. */
export const OPEN_GRANT_STATES: readonly GrantState[] = ['offered', 'accepted'];

const countSchema = z.int().min(0);
const instantSchema = z.iso.datetime({ offset: true });

/** These members of a grant are the same for its player and its operator. */
export const grantSchema = z
  .object({
    grantID: grantIDSchema,
    state: z.enum(GRANT_STATES),
    mode: z
      .string()
      .min(1)
      .meta({
        description: 'The bet mode of its rounds: for games by the name in `betModes`, for operators in upper case.',
        examples: ['BASE'],
      }),
    amount: positiveMicrosSchema.meta({ description: 'The base bet of each round, in micros.' }),
    given: z.int().min(1).meta({ description: 'How many rounds were given.' }),
    used: countSchema.meta({ description: 'How many rounds have been played. A void round does not count.' }),
    left: countSchema.meta({ description: 'How many rounds can still be played.' }),
    won: unsignedMicrosSchema.meta({ description: 'What its completed rounds pay together, in micros.' }),
    automatic: z.boolean().meta({
      description: 'A play of its mode and bet that names no grant takes a round of it.',
    }),
    paidAtEnd: z.boolean().meta({
      description: 'Its wins are paid together when it ends. False: each round pays its own.',
    }),
    startsAt: instantSchema.meta({ description: 'No round is played before this instant.' }),
    expiresAt: instantSchema.meta({ description: 'No round is opened from this instant on.' }),
  })
  .meta({ title: 'Grant', description: 'The free rounds of one player: the operator pays their bets.' });

export const grantsMetaSchema = z
  .object({ grants: z.array(grantSchema).min(1) })
  .meta({ title: 'GrantsMeta', description: 'The open grants of the player in this game, oldest first.' });

/** What a player may decide about a grant. Accepting is optional: a play accepts. */
export const GRANT_DECISIONS = ['accept', 'decline'] as const;

export const grantsRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    grantID: grantIDSchema.optional().meta({ description: 'Also return this grant, whatever its state.' }),
    decision: z.enum(GRANT_DECISIONS).optional().meta({
      description: 'Of the named grant. A decision can be repeated; a grant that has ended is ERR_VAL.',
    }),
  })
  .refine(({ grantID, decision }) => decision === undefined || grantID !== undefined, {
    path: ['grantID'],
    error: 'a decision needs a grantID',
  })
  .meta({ title: 'GrantsRequest' });
export const grantsResponseSchema = z
  .object({
    grants: z.array(grantSchema).meta({
      description: 'The open grants of the player in this game, oldest first, and the named one.',
    }),
  })
  .meta({ title: 'GrantsResponse', description: 'The grants as they are now.' });

export type GrantState = (typeof GRANT_STATES)[number];
export type GrantDecision = (typeof GRANT_DECISIONS)[number];
export type Grant = z.infer<typeof grantSchema>;
export type GrantsMeta = z.infer<typeof grantsMetaSchema>;
export type GrantsRequest = z.infer<typeof grantsRequestSchema>;
export type GrantsResponse = z.infer<typeof grantsResponseSchema>;
