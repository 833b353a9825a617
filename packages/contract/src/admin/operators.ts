import * as z from 'zod';
import { DRAWS } from '../fairness.ts';
import { partialJurisdictionSchema, positiveMicrosSchema, storableTextOf, unsignedMicrosSchema } from '../fields.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  approvalPendingSchema,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  REASON_NEEDED,
  reasonSchema,
  streamErrorSchema,
  streamProgressSchema,
} from './adminSchemas.ts';
import { maintenanceSchema } from './games.ts';
import { limitsChangeSchema, operatorCodeSchema, operatorSettingsSchema } from './operatorSettings.ts';

const MAX_SESSION_CHARACTERS = 1000;
const MAX_LIMITS = 400;

const pathParams = z.object({ operator: storableTextOf(100, 'Code of the operator.') });
const micros = unsignedMicrosSchema.nullable();

const limitsSchema = z.object({
  currency: z.string(),
  maxBetMicros: micros,
  dailyWagerLimitMicros: micros,
  dailyLossLimitMicros: micros,
  largeBetMicros: micros,
  largeWinMicros: micros,
  largeDailyWagerMicros: micros,
  largeDailyWinMicros: micros,
  maxGrantLiabilityMicros: micros,
});

const secretsSchema = z.object({
  fingerprints: z.array(z.string()).meta({
    description: 'The first four hexadecimal digits of the SHA-256 of each; the first one signs. Empty: no secret.',
  }),
  isRotating: z.boolean().meta({ description: 'Two secrets hold: the new one waits to be finished or cancelled.' }),
});

export const adminOperatorSchema = z.object({
  code: z.string(),
  name: z.string(),
  isDisabled: z.boolean(),
  walletUrl: z.string().nullable().meta({ description: 'null: the house wallet.' }),
  dialect: z.string(),
  currencies: z.array(z.string()).meta({ description: 'Empty: all.' }),
  secrets: secretsSchema,
});

export const adminOperatorDetailSchema = adminOperatorSchema.extend({
  walletTimeoutMs: z.int(),
  hasDialectSettings: z.boolean().meta({ description: 'They are keys and names, and are never shown.' }),
  languages: z.array(z.string()),
  defaultGame: z.string().nullable(),
  isDefault: z.boolean(),
  launchedOnly: z.boolean(),
  freeRounds: z.boolean().meta({ description: 'The wallet knows free rounds. The house wallet always does.' }),
  maxFreeRounds: z.int(),
  closingDebits: z.boolean().meta({ description: 'The debit of a lost round closes it: no closing follows.' }),
  draws: z.enum(DRAWS).nullable().meta({ description: 'null: as the game says.' }),
  sessionTimeoutMinutes: z.number(),
  sessionLifetimeMinutes: z.number(),
  completeRoundsAfterHours: z.int().nullable(),
  allowedCountries: z.array(z.string()),
  blockedCountries: z.array(z.string()),
  jurisdiction: partialJurisdictionSchema,
  limits: z.array(limitsSchema),
  maintenance: maintenanceSchema.nullable(),
});

const presetSchema = z.object({
  name: z.string(),
  place: z.string(),
  values: z.array(
    z.object({
      field: z.string(),
      value: z.unknown(),
      rule: z.string().nullable().meta({ description: 'The clause in the source; null in the strictest preset.' }),
      source: z.string().nullable().meta({ description: 'Title of the source.' }),
      sourceUrl: z.string().nullable(),
      from: z.array(z.string()).meta({ description: 'The strictest preset has the value of these presets.' }),
    }),
  ),
  notes: z.array(z.string()).meta({ description: 'What the place demands beside the values.' }),
});

export const presetsSchema = z.object({
  comparedOn: z.string().meta({ description: 'The values were compared with their sources on this day.' }),
  presets: z.array(presetSchema),
  dialects: z.array(z.string()),
  languages: z.array(z.string()),
  currencies: z.array(z.string()),
});

const changedSchema = z.object({
  operator: adminOperatorDetailSchema,
  newSecret: z
    .string()
    .nullable()
    .meta({ description: 'An operator with a wallet needs a secret: the server has made it, and shows it this once.' }),
  overridden: z.array(z.string()).meta({ description: 'Given in place of what the preset has.' }),
});

const settled = z.object({ secrets: secretsSchema });

const ruleLineSchema = z.object({
  kind: z.literal('line'),
  id: z.string(),
  rule: z.string().meta({ description: 'What a right wallet does.' }),
  outcome: z.enum(['pass', 'fail', 'not testable']),
  why: z.string().nullable(),
  exchanges: z
    .array(z.object({ request: z.string(), response: z.string() }))
    .meta({ description: 'Of a rule that fails. Secrets and sessions are replaced by their names.' }),
});

export const walletCheckLineSchema = z.discriminatedUnion('kind', [
  streamProgressSchema,
  ruleLineSchema,
  z.object({
    kind: z.literal('result'),
    passed: z.int(),
    failed: z.int(),
    notTestable: z.int(),
    walletUrl: z.string(),
  }),
  streamErrorSchema,
]);

const session = (description: string) => storableTextOf(MAX_SESSION_CHARACTERS, description);

export const operatorRoutes = {
  listOperators: {
    ...ADMIN_ROUTES.listOperators,
    summary: 'List operators',
    query: pageQuerySchema,
    responses: { 200: pageSchema(adminOperatorSchema), ...ADMIN_REFUSALS },
  },
  getOperator: {
    ...ADMIN_ROUTES.getOperator,
    summary: 'Read the settings of an operator',
    pathParams,
    responses: { 200: adminOperatorDetailSchema, ...ADMIN_REFUSALS },
  },
  listPresets: {
    ...ADMIN_ROUTES.listPresets,
    summary: 'List what the settings of an operator choose from: presets of jurisdictions with sources, dialects',
    responses: { 200: presetsSchema, ...ADMIN_REFUSALS },
  },
  judgeOperator: {
    ...ADMIN_ROUTES.judgeOperator,
    summary: 'Judge the settings of an operator to add or change, without changing anything',
    body: operatorSettingsSchema.extend({
      code: operatorCodeSchema,
      isNew: z.boolean().meta({ description: 'Of an operator to add; otherwise of one to change.' }),
    }),
    responses: { 200: z.object({ overridden: z.array(z.string()) }), ...ADMIN_REFUSALS },
  },
  addOperator: {
    ...ADMIN_ROUTES.addOperator,
    summary: 'Make an operator',
    body: operatorSettingsSchema.extend({ code: operatorCodeSchema }),
    responses: { 200: changedSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  changeOperator: {
    ...ADMIN_ROUTES.changeOperator,
    summary: 'Change the given settings of an operator',
    pathParams,
    body: operatorSettingsSchema,
    responses: { 200: changedSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  disableOperator: {
    ...ADMIN_ROUTES.disableOperator,
    summary: 'Let nobody play at an operator, or everybody again',
    pathParams,
    body: z
      .strictObject({
        disabled: z.boolean(),
        reason: reasonSchema.optional().meta({ description: 'Required to disable.' }),
      })
      .refine(({ disabled, reason }) => !disabled || reason !== undefined, REASON_NEEDED),
    responses: { 200: adminOperatorDetailSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  setOperatorLimits: {
    ...ADMIN_ROUTES.setOperatorLimits,
    summary: 'Change limits of an operator, by currency',
    pathParams,
    body: z.strictObject({ limits: z.array(limitsChangeSchema).min(1).max(MAX_LIMITS) }),
    responses: { 200: adminOperatorDetailSchema, 202: approvalPendingSchema, ...ADMIN_REFUSALS },
  },
  rotateSecret: {
    ...ADMIN_ROUTES.rotateSecret,
    summary: 'Make a second secret, which is shown this once',
    pathParams,
    body: z.strictObject({}),
    responses: {
      200: settled.extend({ newSecret: z.string().meta({ description: 'No later response has it.' }) }),
      202: approvalPendingSchema,
      409: conflictSchema,
      ...ADMIN_REFUSALS,
    },
  },
  finishRotation: {
    ...ADMIN_ROUTES.finishRotation,
    summary: 'Let the new secret sign, and end the old one',
    pathParams,
    body: z.strictObject({}),
    responses: { 200: settled, 202: approvalPendingSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
  cancelRotation: {
    ...ADMIN_ROUTES.cancelRotation,
    summary: 'End the new secret, and keep the old one',
    pathParams,
    body: z.strictObject({}),
    responses: { 200: settled, 202: approvalPendingSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
} as const;

export const operatorStreamRoutes = {
  checkWallet: {
    ...ADMIN_ROUTES.checkWallet,
    summary: "Check the operator's wallet, rule by rule",
    description: 'It bets with the balance of the session and rolls back what it can: use a test player.',
    pathParams,
    body: z.strictObject({
      session: session(
        'A live session of a test player; without it the wallet is asked for one. With a dialect: the token of its launch.',
      ).optional(),
      expiredSession: session('A session or token that has timed out, to check that too.').optional(),
      gameID: storableTextOf(100, 'The game that the session is for.'),
      bet: positiveMicrosSchema.meta({ description: 'Stake of one bet; the balance must cover four of them.' }),
      freeRounds: z.boolean().optional().meta({ description: 'The wallet knows free rounds: check that too.' }),
      closingDebits: z.boolean().optional().meta({ description: 'Also check debits that close their lost round.' }),
      playerID: storableTextOf(100, 'With a dialect: the id of the test player.').optional(),
      currency: storableTextOf(20, "With a dialect: the code of the player's currency.").optional(),
    }),
    responses: { 200: walletCheckLineSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type AdminOperator = z.infer<typeof adminOperatorSchema>;
export type AdminOperatorDetail = z.infer<typeof adminOperatorDetailSchema>;
export type OperatorPresets = z.infer<typeof presetsSchema>;
export type WalletCheckLine = z.infer<typeof walletCheckLineSchema>;
