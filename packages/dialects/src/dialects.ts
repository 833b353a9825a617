import * as z from 'zod';
import type { Dialect, DialectConnection } from './dialect.ts';
import { engine } from './engine/dialect.ts';
import { hub88 } from './hub88/dialect.ts';
import { onewallet } from './onewallet/dialect.ts';
import { pragmatic } from './pragmatic/dialect.ts';
import { relax } from './relax/dialect.ts';
import { roundhouse } from './roundhouse/dialect.ts';
import { slotegrator } from './slotegrator/dialect.ts';
import { softswiss } from './softswiss/dialect.ts';

/** The server's own protocol comes first: an operator has it when it names no other. */
const DIALECTS = { roundhouse, engine, hub88, softswiss, pragmatic, relax, slotegrator, onewallet } as const;

export type DialectName = keyof typeof DIALECTS;
/** A dialect besides the server's own. */
export type AggregatorName = Exclude<DialectName, 'roundhouse'>;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
/** Each has a simulator and rules in @roundhouse/aggregators, which takes longer to load. */
export const AGGREGATOR_NAMES = DIALECT_NAMES.slice(1) as AggregatorName[];

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(DIALECTS, name);
}

/** @throws Error when no such dialect exists: the database names one of a later version. */
export function dialectOf(name: string): Dialect {
  if (!isDialectName(name)) throw new Error(`this version of the server has no dialect ${name}`);
  return DIALECTS[name] as unknown as Dialect;
}

/** Each dialect has these settings beside its own. */
const sharedSettings = z.object({
  /**
   * Bets that the wallet cannot move exactly are not offered (decision 027). Otherwise a launch of
   * a game that has one is refused.
   */
  leaveOutBets: z.boolean().default(false),
});

/** Checks the settings of an operator by the schema of its dialect. */
export function parseSettings(name: string, settings: unknown) {
  const shared = sharedSettings.safeParse(settings);
  if (!shared.success) return shared;
  const { leaveOutBets: _shared, ...own } = settings as Record<string, unknown>;
  const parsed = dialectOf(name).settings.safeParse(own);
  return parsed.success ? { success: true as const, data: { ...shared.data, own: parsed.data } } : parsed;
}

/** `field` is a path of members of the settings file, empty for the file as a whole. */
export type SettingsIssue = { field: string; message: string };

export function issuesOf({ issues }: z.ZodError): SettingsIssue[] {
  return issues.map(({ path, message }) => ({ field: path.join('.'), message }));
}

export type OperatorConnection = DialectConnection & { leavesOutBets: boolean };

/** @throws ZodError when the settings are not right: an older version has stored them. */
export function connectDialect(operator: {
  code: string;
  dialect: string;
  settings: unknown;
  secrets: readonly string[];
}): OperatorConnection {
  const { code, dialect, settings, secrets } = operator;
  const parsed = parseSettings(dialect, settings);
  if (!parsed.success) throw parsed.error;
  const { own, leaveOutBets } = parsed.data;
  return { ...dialectOf(dialect).connect({ code, settings: own, secrets }), leavesOutBets: leaveOutBets };
}
