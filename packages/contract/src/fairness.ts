import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { isClientSeed, MAX_CLIENT_SEED_CHARACTERS } from './clientSeed.ts';
import { sessionIDSchema, storableTextOf } from './fields.ts';
import { REFUSALS } from './refusals.ts';
import { FAIRNESS_ROUTES } from './routes.ts';

/** A response has at most this many revealed server seeds. */
export const MAX_REVEALED_SEEDS = 50;

/** How the rounds of a session are drawn. */
export const DRAWS = ['certified', 'provablyFair'] as const;
export type Draws = (typeof DRAWS)[number];

export const drawsSchema = z.enum(DRAWS).meta({
  description: 'certified: by the generator of the server. provablyFair: by seeds, so that the player can check it.',
});

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');
const serverSeedHashSchema = hashSchema.meta({ description: 'SHA-256 of the bytes of a server seed.' });

/** Takes what isClientSeed takes. */
export const clientSeedSchema = storableTextOf(
  MAX_CLIENT_SEED_CHARACTERS,
  "The player's part of each draw. No control characters.",
  'my lucky words',
).refine(isClientSeed, { error: 'must not hold control characters' });

/** Commits to the lookup table of a mode and to its books. */
export const tableCommitmentSchema = z
  .object({
    rows: z.int().min(1).meta({ description: 'How many rows the lookup table has.' }),
    totalWeight: z.string().meta({ description: 'The sum of its weights, as decimal text.' }),
    sha256: hashSchema.meta({ description: 'SHA-256 of the published file of the lookup table.' }),
    root: hashSchema.meta({ description: 'Merkle root over the rows: id, weight, payout multiplier and book.' }),
  })
  .meta({ title: 'TableCommitment', description: 'What a published lookup table is known by.' });

const nonceSchema = z.int().min(0);

/** Says which draw a round has. Operators and players see it, and it reveals nothing. */
export const roundFairnessSchema = z
  .object({
    serverSeedHash: serverSeedHashSchema,
    nonce: nonceSchema.meta({ description: 'The number of the play under the server seed, from 0.' }),
  })
  .meta({ title: 'RoundFairness', description: 'Of a provably fair draw: its server seed, and its number under it.' });

export const fairnessSchema = z
  .object({
    serverSeedHash: hashSchema.meta({ description: 'SHA-256 of the server seed in use.' }),
    nextServerSeedHash: hashSchema.meta({ description: 'SHA-256 of the server seed after the next rotation.' }),
    clientSeed: clientSeedSchema.nullable().meta({ description: 'Null until the player has set the first one.' }),
    nonce: nonceSchema.meta({ description: 'The number of the next play under the server seed, from 0.' }),
  })
  .meta({ title: 'Fairness', description: 'The seeds by which the next play is drawn.' });

export const revealedSeedSchema = z
  .object({
    serverSeed: hashSchema.meta({ description: 'Its 32 bytes, as 64 hexadecimal digits.' }),
    serverSeedHash: serverSeedHashSchema,
    nonces: nonceSchema.meta({ description: 'How many plays took a nonce under it: 0 up to this, without a gap.' }),
    revealedAt: z.iso.datetime(),
  })
  .meta({ title: 'RevealedSeed', description: 'A server seed that is not used any more.' });

export const fairnessSeedsRequestSchema = z
  .object({ sessionID: sessionIDSchema })
  .meta({ title: 'FairnessSeedsRequest' });
export const fairnessSeedsResponseSchema = z
  .object({
    fairness: fairnessSchema,
    revealed: z
      .array(revealedSeedSchema)
      .max(MAX_REVEALED_SEEDS)
      .meta({ description: `The newest ${MAX_REVEALED_SEEDS}, newest first.` }),
  })
  .meta({ title: 'FairnessSeedsResponse' });

export const clientSeedRequestSchema = z
  .object({ sessionID: sessionIDSchema, clientSeed: clientSeedSchema })
  .meta({ title: 'ClientSeedRequest' });
export const clientSeedResponseSchema = z.object({ fairness: fairnessSchema }).meta({ title: 'ClientSeedResponse' });

export const rotateRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    serverSeedHash: hashSchema.meta({
      description: 'The server seed to reveal. One that is revealed already is returned again, and nothing changes.',
    }),
    clientSeed: clientSeedSchema.meta({ description: 'The client seed for the next server seed.' }),
  })
  .meta({ title: 'RotateRequest' });
export const rotateResponseSchema = z
  .object({ revealed: revealedSeedSchema, fairness: fairnessSchema })
  .meta({ title: 'RotateResponse' });

export const proofRequestSchema = z
  .object({ sessionID: sessionIDSchema, betID: z.int().min(1).meta({ description: 'A round of the player.' }) })
  .meta({ title: 'ProofRequest' });
export const exportRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    serverSeedHash: hashSchema.meta({ description: 'A server seed of the player that is revealed.' }),
  })
  .meta({ title: 'ExportRequest' });

const drawnRowSchema = z.tuple([z.int().min(0), z.int().min(0), z.string(), z.string(), hashSchema, z.string()]).meta({
  description:
    'Position from 0, id, weight, payout multiplier in hundredths, SHA-256 of the book, first 8 digits of the hash of the leaf.',
});
const siblingSchema = z
  .tuple([z.string(), hashSchema])
  .meta({ description: 'A largest part of the tree without a drawn row: the sum of its weights, and its hash.' });

const fairTableSchema = tableCommitmentSchema
  .extend({
    game: z.string(),
    version: z.string(),
    mode: z.string(),
    drawn: z.array(drawnRowSchema).meta({ description: 'Each drawn row once, ascending by position.' }),
    siblings: z.array(siblingSchema).meta({ description: 'From left to right.' }),
  })
  .meta({ title: 'FairTable', description: 'The table of a mode, as far as its proof needs it.' });

const fairRoundSchema = z
  .object({
    nonce: nonceSchema,
    betID: z.int().min(1),
    table: z.int().min(0).meta({ description: 'Place in `tables`.' }),
    amount: z.int().meta({ description: 'Base bet, in micros.' }),
    payout: z.int().optional().meta({ description: 'In micros.' }),
    bookID: z.int().min(0).optional(),
    payoutMultiplier: z.string().optional().meta({ description: 'In hundredths.' }),
    void: z.literal(true).optional().meta({ description: 'The round has no outcome. Else left out.' }),
  })
  .meta({ title: 'FairRound', description: 'A round of a fair document.' });

/** Describes FairDocument of @roundhouse/fair on the wire. */
export const fairDocumentSchema = z
  .object({
    format: z.literal('roundhouse-fair-1'),
    serverSeedHash: serverSeedHashSchema,
    serverSeed: hashSchema.nullable().meta({ description: 'Null until it is revealed.' }),
    nonces: nonceSchema
      .nullable()
      .meta({ description: 'How many nonces the server seed has; null in the proof of one round.' }),
    clientSeeds: z
      .array(z.object({ from: nonceSchema, clientSeed: clientSeedSchema }))
      .meta({ description: 'Each holds from this nonce up to the next one.' }),
    tables: z.array(fairTableSchema),
    rounds: z.array(fairRoundSchema).meta({ description: 'Ascending by nonce, and so by betID.' }),
    book: z.string().optional().meta({ description: 'In the proof of one round: the events, as they were published.' }),
  })
  .meta({ title: 'FairDocument', description: 'The proof of one round, or of all rounds under a server seed.' });

export type TableCommitment = z.infer<typeof tableCommitmentSchema>;
export type RoundFairness = z.infer<typeof roundFairnessSchema>;
export type Fairness = z.infer<typeof fairnessSchema>;
export type RevealedSeed = z.infer<typeof revealedSeedSchema>;
export type FairnessSeedsResponse = z.infer<typeof fairnessSeedsResponseSchema>;
export type ClientSeedResponse = z.infer<typeof clientSeedResponseSchema>;
export type RotateResponse = z.infer<typeof rotateResponseSchema>;
export type FairDocument = z.infer<typeof fairDocumentSchema>;

export const fairnessContract = initContract().router(
  {
    seeds: {
      ...FAIRNESS_ROUTES.seeds,
      summary: 'Read the seeds',
      description: 'The seeds of the session, and the server seeds that were revealed before.',
      body: fairnessSeedsRequestSchema,
      responses: { 200: fairnessSeedsResponseSchema, ...REFUSALS },
    },
    clientSeed: {
      ...FAIRNESS_ROUTES.clientSeed,
      summary: 'Set the client seed',
      description: 'It holds from the next play on; the nonces go on. While a round is open it is ERR_VAL.',
      body: clientSeedRequestSchema,
      responses: { 200: clientSeedResponseSchema, ...REFUSALS },
    },
    rotate: {
      ...FAIRNESS_ROUTES.rotate,
      summary: 'Reveal the server seed',
      description:
        'Reveals the server seed and takes the next one, with a new client seed and nonce 0. While a round is open it is ERR_VAL, and before the first play under the server seed. It can be repeated: a revealed seed is returned again.',
      body: rotateRequestSchema,
      responses: { 200: rotateResponseSchema, ...REFUSALS },
    },
    proof: {
      ...FAIRNESS_ROUTES.proof,
      summary: 'Prove a round',
      description:
        'All that proves the draw of a round of the player; the server seed is in it once it is revealed. For an open round it is ERR_VAL.',
      body: proofRequestSchema,
      responses: { 200: fairDocumentSchema, ...REFUSALS },
    },
    export: {
      ...FAIRNESS_ROUTES.export,
      summary: 'Export a seed period',
      description:
        'All rounds under a revealed server seed, with the rows that they drew, as a file. A session has one export at a time.',
      body: exportRequestSchema,
      responses: { 200: fairDocumentSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);
