import * as z from 'zod';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import { ADMIN_REFUSALS } from './adminSchemas.ts';

const MAX_SEARCH_CHARACTERS = 512;

export const HIT_KINDS = [
  'round',
  'walletTransaction',
  'session',
  'player',
  'game',
  'operator',
  'campaign',
  'grant',
] as const;

export const searchHitSchema = z.object({
  id: z.string().meta({
    description:
      'The betID, the transactionID (also found by the reference of the wallet), the playerID (of a session, too: its sessionID is a credential), the gameID, the code of the operator, the campaignID or the grantID.',
  }),
  operator: z.string().nullable().meta({ description: 'Whose it is; null for a game.' }),
  detail: z.string().meta({ description: 'What a person tells it by, such as the title of a game.' }),
  betID: z.string().optional().meta({ description: 'The round of a wallet transaction.' }),
  playerID: z.string().optional().meta({ description: 'Whose session or grant it is.' }),
  campaignID: z.string().optional().meta({ description: 'The campaign of a grant, if it has one.' }),
});

export const searchGroupSchema = z.object({ kind: z.enum(HIT_KINDS), hits: z.array(searchHitSchema).min(1) });

export const searchRoutes = {
  search: {
    ...ADMIN_ROUTES.search,
    summary: 'Find what a text names',
    description:
      'The text may be a sessionID, which is a credential, so it is in the body. At most 5 of each kind. A wallet transaction is found by the transactionID, with or without hyphens, or by the reference that the wallet gives it.',
    body: z.object({
      text: z
        .string()
        .regex(/^[^\0]*$/, 'no NUL')
        .trim()
        .min(1)
        .max(MAX_SEARCH_CHARACTERS),
    }),
    responses: { 200: z.object({ groups: z.array(searchGroupSchema) }), ...ADMIN_REFUSALS },
  },
} as const;

export type HitKind = (typeof HIT_KINDS)[number];
export type SearchHit = z.infer<typeof searchHitSchema>;
export type SearchGroup = z.infer<typeof searchGroupSchema>;
