import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { sessionIDSchema, storableTextOf } from './fields.ts';
import { REFUSALS } from './refusals.ts';
import { FAIRNESS_ROUTES } from './routes.ts';

/** A client seed has at most so many characters. */
export const MAX_CLIENT_SEED_CHARACTERS = 64;

/** How the rounds of a session are drawn. */
export const DRAWS = ['certified', 'provablyFair'] as const;
export type Draws = (typeof DRAWS)[number];

const CONTROL = /\p{Cc}/u;

export const drawsSchema = z.enum(DRAWS).meta({
  description: 'certified: by the generator of the server. provablyFair: by seeds, so that the player can check it.',
});

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');

export const clientSeedSchema = storableTextOf(
  MAX_CLIENT_SEED_CHARACTERS,
  "The player's part of each draw. No control characters.",
  'my lucky words',
).refine((text) => !CONTROL.test(text), { error: 'must not hold control characters' });

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
    serverSeed: hashSchema,
    serverSeedHash: hashSchema,
    nonces: nonceSchema.meta({ description: 'How many plays took a nonce under it.' }),
    revealedAt: z.iso.datetime(),
  })
  .meta({ title: 'RevealedSeed', description: 'A server seed that is not used any more.' });

export const fairnessSeedsRequestSchema = z
  .object({ sessionID: sessionIDSchema })
  .meta({ title: 'FairnessSeedsRequest' });
export const fairnessSeedsResponseSchema = z
  .object({
    fairness: fairnessSchema,
    revealed: z.array(revealedSeedSchema).meta({ description: 'The newest 50, newest first.' }),
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
  .object({ sessionID: sessionIDSchema, serverSeedHash: hashSchema })
  .meta({ title: 'ExportRequest' });

/** Describes FairDocument of @roundhouse/fair on the wire. */
export const fairDocumentSchema = z
  .object({
    format: z.literal('roundhouse-fair-1'),
    serverSeedHash: hashSchema,
    serverSeed: hashSchema.nullable(),
    nonces: nonceSchema.nullable(),
    clientSeeds: z.array(z.object({ from: nonceSchema, clientSeed: clientSeedSchema })),
    tables: z.array(
      tableCommitmentSchema.extend({
        game: z.string(),
        version: z.string(),
        mode: z.string(),
        drawn: z.array(z.tuple([z.int().min(0), z.int().min(0), z.string(), z.string(), hashSchema])),
        siblings: z.array(z.tuple([z.string(), hashSchema])),
      }),
    ),
    rounds: z.array(
      z.object({
        nonce: nonceSchema,
        betID: z.int().min(1),
        table: z.int().min(0),
        amount: z.int(),
        payout: z.int().optional(),
        bookID: z.int().min(0).optional(),
        payoutMultiplier: z.string().optional(),
        void: z.literal(true).optional(),
      }),
    ),
    book: z.string().optional(),
  })
  .meta({ title: 'FairDocument', description: 'The proof of one round, or all rounds under a server seed.' });

export type TableCommitment = z.infer<typeof tableCommitmentSchema>;
export type Fairness = z.infer<typeof fairnessSchema>;
export type RevealedSeed = z.infer<typeof revealedSeedSchema>;
export type FairnessSeedsResponse = z.infer<typeof fairnessSeedsResponseSchema>;
export type ClientSeedResponse = z.infer<typeof clientSeedResponseSchema>;
export type RotateResponse = z.infer<typeof rotateResponseSchema>;

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
        'Reveals the server seed and takes the next one, with a new client seed and nonce 0. While a round is open it is ERR_VAL. It can be repeated: a revealed seed is returned again.',
      body: rotateRequestSchema,
      responses: { 200: rotateResponseSchema, ...REFUSALS },
    },
    proof: {
      ...FAIRNESS_ROUTES.proof,
      summary: 'Prove a round',
      description: 'All that proves the draw of a round; the server seed is in it once it is revealed.',
      body: proofRequestSchema,
      responses: { 200: fairDocumentSchema, ...REFUSALS },
    },
    export: {
      ...FAIRNESS_ROUTES.export,
      summary: 'Export a seed period',
      description: 'All rounds under a revealed server seed, with the rows that they drew.',
      body: exportRequestSchema,
      responses: { 200: fairDocumentSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);
