import * as z from 'zod';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  approvalPendingSchema,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  roleSchema,
} from './adminSchemas.ts';

const MAX_EMAIL_CHARACTERS = 254;
const MAX_NAME_CHARACTERS = 100;

export const userSchema = z.object({
  userID: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  operator: z.string().nullable().meta({ description: 'Code of the operator; null for a user of the server.' }),
  isDisabled: z.boolean(),
  hasAccount: z.boolean().meta({ description: 'The user has set a password, or signed in by single sign-on.' }),
  hasSecondFactor: z.boolean().meta({ description: 'An authenticator app is asked for after the password.' }),
  passwordAlone: z.boolean().meta({ description: 'A password alone signs the user in.' }),
  passkeys: z.number().int().min(0),
  sessions: z.number().int().min(0).meta({ description: 'Sessions that have not ended.' }),
  lastSignedInAt: adminInstantSchema.nullable(),
  createdAt: adminInstantSchema,
});

export const userSessionSchema = z.object({
  sessionID: z.string(),
  isCurrent: z.boolean().meta({ description: 'The session of this request.' }),
  createdAt: adminInstantSchema,
  expiresAt: adminInstantSchema.meta({ description: 'When it ends without a further request.' }),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

const emailSchema = z.email().max(MAX_EMAIL_CHARACTERS).toLowerCase();
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .regex(/^\P{C}*$/u, 'must not have control characters');
const codeSchema = z.string().regex(/^[a-z0-9-]{1,64}$/, 'is no code of an operator');
const operatorSchema = codeSchema.nullable().meta({ description: 'null: a user of the server.' });
const idSchema = z.string().regex(/^[\w-]{1,64}$/, 'is no id');
const userKeySchema = z.object({ userID: idSchema });
const sessionsSchema = z.object({ items: z.array(userSessionSchema) });

/** The link is shown once, holds once, and for 24 hours. */
const withLinkSchema = z.object({ user: userSchema, link: z.string() });

export const userRoutes = {
  listUsers: {
    ...ADMIN_ROUTES.listUsers,
    summary: 'List users by email',
    query: pageQuerySchema.extend({
      text: z
        .string()
        .trim()
        .min(1)
        .max(MAX_NAME_CHARACTERS)
        .optional()
        .meta({ description: 'Part of email or name.' }),
      role: roleSchema.optional(),
      operator: codeSchema.optional(),
    }),
    responses: { 200: pageSchema(userSchema), ...ADMIN_REFUSALS },
  },
  addUser: {
    ...ADMIN_ROUTES.addUser,
    summary: 'Add a user, and make the link that sets the password',
    body: z.object({ email: emailSchema, name: nameSchema, role: roleSchema, operator: operatorSchema }),
    responses: { 200: withLinkSchema, 202: approvalPendingSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
  changeUser: {
    ...ADMIN_ROUTES.changeUser,
    summary: 'Change name, role or operator of a user, disable or enable one',
    pathParams: userKeySchema,
    body: z.object({
      name: nameSchema.optional(),
      role: roleSchema.optional(),
      operator: operatorSchema.optional(),
      disabled: z.boolean().optional(),
    }),
    responses: { 200: userSchema, 202: approvalPendingSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
  newUserLink: {
    ...ADMIN_ROUTES.newUserLink,
    summary: 'Make a new link that sets the password; earlier ones hold no more',
    pathParams: userKeySchema,
    body: z.object({ resetSecondFactor: z.boolean().default(false) }),
    responses: { 200: withLinkSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  listUserSessions: {
    ...ADMIN_ROUTES.listUserSessions,
    summary: 'List the sessions of a user',
    pathParams: userKeySchema,
    responses: { 200: sessionsSchema, ...ADMIN_REFUSALS },
  },
  endUserSessions: {
    ...ADMIN_ROUTES.endUserSessions,
    summary: 'End every session of a user',
    pathParams: userKeySchema,
    body: z.object({}),
    responses: { 200: z.object({ ended: z.number().int().min(0) }), ...ADMIN_REFUSALS },
  },
  listOwnSessions: {
    ...ADMIN_ROUTES.listOwnSessions,
    summary: 'List your sessions',
    responses: { 200: sessionsSchema, ...ADMIN_REFUSALS },
  },
  endOwnSession: {
    ...ADMIN_ROUTES.endOwnSession,
    summary: 'End one of your sessions',
    pathParams: z.object({ sessionID: idSchema }),
    body: z.object({}),
    responses: { 200: z.object({ ended: z.number().int().min(0) }), ...ADMIN_REFUSALS },
  },
} as const;

export type ConsoleUser = z.infer<typeof userSchema>;
export type ConsoleUserSession = z.infer<typeof userSessionSchema>;
