import * as z from 'zod';
import { configuredCurrencySchema } from '../fields.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import { ADMIN_REFUSALS, adminInstantSchema, roleSchema } from './adminSchemas.ts';

export const accountSchema = z.object({
  userID: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  operator: z.string().nullable().meta({ description: 'Code of the operator; null for a user of the server.' }),
  hasSecondFactor: z.boolean().meta({ description: 'The user has an authenticator app or a passkey.' }),
  hasAuthenticator: z.boolean(),
  mustAddAuthenticator: z.boolean().meta({
    description:
      'The server runs with `--second-factor`, and a password alone signs this user in: requests that do not belong to the account are refused.',
  }),
  sessionEndsAt: adminInstantSchema.meta({ description: 'The latest end of this session, whatever happens in it.' }),
  twoPerson: z.boolean().meta({ description: 'Some actions wait for the approval of a second user.' }),
  playersUrl: z.string().meta({ description: 'Address of the server for players: replays are opened there.' }),
  currencies: z.array(configuredCurrencySchema).meta({
    description:
      'Currencies of the settings of the server, beside those of ISO 4217: how the page shows and reads their amounts.',
  }),
  wrongTries: z
    .object({
      count: z.number().int().min(1),
      lastAt: adminInstantSchema,
      addresses: z.array(z.string()).meta({ description: 'At most 5 of the addresses that they came from.' }),
    })
    .nullable()
    .meta({
      description: 'Wrong tries to sign in as this user between the last two sign-ins; null when there were none.',
    }),
});

export const accountRoutes = {
  getAccount: {
    ...ADMIN_ROUTES.getAccount,
    summary: 'Read your account',
    responses: { 200: accountSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type Account = z.infer<typeof accountSchema>;
