import * as z from 'zod';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  storableSchema,
  streamErrorSchema,
  streamProgressSchema,
} from './adminSchemas.ts';

const MAX_FILTER_CHARACTERS = 200;

/** The largest number of issues that a verification shows; it counts the others. */
export const MAX_ISSUES_SHOWN = 1_000;

export const significantEventSchema = z.object({
  seq: z.number().int().min(1).meta({ description: 'Its place in the chain, without gaps.' }),
  at: z.string().meta({ description: 'When its transaction committed, in UTC with microseconds.' }),
  actor: z
    .string()
    .meta({ description: 'person:NAME, user:EMAIL, operator:CODE, node:HOST#ID, database:ROLE, system.' }),
  kind: z.string(),
  subject: z.string().meta({ description: 'What it is about: `operator acme`, `round 12`.' }),
  before: z.unknown().meta({ description: 'What changed, before; null when it is new.' }),
  after: z.unknown().meta({ description: 'What changed, after; null when it is gone.' }),
  hash: z.string(),
});

const filterTextSchema = storableSchema.min(1).max(MAX_FILTER_CHARACTERS).optional();

export const eventRoutes = {
  listEvents: {
    ...ADMIN_ROUTES.listEvents,
    summary: 'List significant events, the newest first',
    description:
      'A user of an operator gets what is certainly about this operator. A page may have fewer rows than `limit`, or none, and still a ' +
      'cursor: one request reads a bounded part of the log. `searchedTo` says how far back it has read.',
    query: pageQuerySchema.extend({
      kind: z.string().max(MAX_FILTER_CHARACTERS).optional().meta({ description: 'Of this kind.' }),
      actor: filterTextSchema.meta({ description: 'The actor has this text.' }),
      subject: filterTextSchema.meta({ description: 'The subject has this text.' }),
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Before this time.' }),
    }),
    responses: {
      200: pageSchema(significantEventSchema).extend({
        searchedTo: z.string().nullable().meta({ description: 'Time of the oldest event read; null at the end.' }),
        kinds: z.record(z.string(), z.string()).meta({ description: 'Each kind with its meaning.' }),
      }),
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export const chainIssueSchema = z.object({
  event: z.string().meta({ description: 'A row, or what is missing.' }),
  what: z.string(),
});

export const verifyResultSchema = z.object({
  kind: z.literal('result'),
  isWhole: z.boolean(),
  count: z.number().int().min(0),
  head: z.object({ seq: z.number().int().min(0), hash: z.string() }),
  issueCount: z.number().int().min(0),
  issues: z.array(chainIssueSchema).max(MAX_ISSUES_SHOWN),
});

export const eventStreams = {
  verifyEvents: {
    ...ADMIN_ROUTES.verifyEvents,
    summary: 'Prove that the log of significant events is whole',
    description: 'Lines of JSON: progress in events, and the result. One verification runs at a time: 409.',
    body: z.object({}),
    responses: {
      200: z.union([streamProgressSchema, verifyResultSchema, streamErrorSchema]),
      409: conflictSchema,
      ...ADMIN_REFUSALS,
    },
  },
} as const;

export type AdminEvent = z.infer<typeof significantEventSchema>;
export type VerifyResult = z.infer<typeof verifyResultSchema>;
