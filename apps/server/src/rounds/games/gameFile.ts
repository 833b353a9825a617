import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DRAWS, isCurrencyCode, isLanguage, partialJurisdictionSchema, toMicros } from '@roundhouse/contract';
import { LINK_ISSUE, notText, ownPath } from '@roundhouse/math';
import * as z from 'zod';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Ids and versions are path segments of the launch URL and of replay. */
const nameSchema = z.string().regex(NAME, 'must be 1 to 64 letters, digits, dots, dashes or underscores');

/** No segment has a leading dot, so no path leads out of the folder. */
const THUMBNAIL =
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,8}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\.(?:svg|png|jpe?g|webp|avif)$/;

const positiveMicrosSchema = z.int().positive().transform(toMicros);

const betSettingsSchema = z.strictObject({
  minBet: positiveMicrosSchema,
  maxBet: positiveMicrosSchema,
  stepBet: positiveMicrosSchema,
  defaultBetLevel: z.int().positive(),
  betLevels: z.array(z.int().positive()),
});

/** Without them, the math tool's config.json decides, and then the defaults of loadGame.ts. */
const modeSettingsSchema = z.strictObject({ autoClose: z.boolean().optional(), feature: z.boolean().optional() });

const isLimitsKey = (key: string) => key === 'default' || key === 'scaled' || isCurrencyCode(key);

/**
 * game.json lies beside a game's `math/` and `frontend/`. Amounts are micros. `betLimits.default`
 * holds for every currency that is not named. So does `betLimits.scaled`, times what a unit of the
 * currency is worth. Without both, only the named currencies can be played.
 */
const gameFileSchema = z.strictObject({
  id: nameSchema,
  version: nameSchema,
  title: z.string().min(1).max(200),
  betLimits: z
    .record(z.string().refine(isLimitsKey, 'must be "default", "scaled" or the code of a currency'), betSettingsSchema)
    .refine((limits) => !(limits.default && limits.scaled), 'has default and scaled: one of them holds for the rest'),
  modes: z.record(z.string(), modeSettingsSchema).default({}),
  /** If set, games see the names of modes in upper case instead of as they are published. */
  upperCaseModes: z.boolean().default(false),
  jurisdiction: partialJurisdictionSchema.default({}),
  /** How sessions draw, if neither the launch nor the operator says it. */
  draws: z.enum(DRAWS).optional(),
  thumbnail: z
    .string()
    .regex(
      THUMBNAIL,
      'must be the path of a picture below frontend/, such as assets/tile.svg: svg, png, jpg, webp, avif',
    )
    .optional(),
  /** The game sheet shows the languages of the front end. */
  languages: z
    .array(z.string().refine(isLanguage, 'must be the code of a language that launches know, such as en'))
    .min(1)
    .refine((codes) => new Set(codes).size === codes.length, 'must name each language once')
    .optional(),
});

export type GameFile = z.infer<typeof gameFileSchema>;

/** The server reads from the math tool's config.json only what decides how it serves a round. */
const mathToolConfigSchema = z.object({
  gameID: z.string().optional(),
  workingName: z.string().optional(),
  bookShelfConfig: z
    .array(
      z.object({
        name: z.string(),
        autoEndRoundDisabled: z.boolean().optional(),
        buyBonus: z.boolean().optional(),
      }),
    )
    .default([]),
});

export type MathToolConfig = z.infer<typeof mathToolConfigSchema>;

export type FileOutcome<Value> = { ok: true; value: Value } | { ok: false; issues: string[] };

export function readGameFile(file: string): Promise<FileOutcome<GameFile>> {
  return readJson(file, gameFileSchema);
}

export function readMathToolConfig(file: string): Promise<FileOutcome<MathToolConfig>> {
  return readJson(file, mathToolConfigSchema);
}

export function isGameName(text: string): boolean {
  return NAME.test(text);
}

async function readJson<Value>(file: string, schema: z.ZodType<Value>): Promise<FileOutcome<Value>> {
  let content: unknown;
  try {
    const own = await ownPath(path.dirname(file), path.basename(file));
    if (own === undefined) return { ok: false, issues: [`${file}: ${LINK_ISSUE}`] };
    const bytes = await readFile(own);
    const binary = notText(bytes);
    if (binary !== undefined) return { ok: false, issues: [`${file}: ${binary}`] };
    content = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    return { ok: false, issues: [`${file}: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => `${file}: ${issue.path.join('.') || 'the file'}: ${issue.message}`),
  };
}
