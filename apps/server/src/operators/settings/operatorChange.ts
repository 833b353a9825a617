import type { CurrencyCode, Language, PartialJurisdiction } from '@roundhouse/contract';
import type { OperatorSettingsChange } from '@roundhouse/contract/admin';
import type { SettingsIssue } from '@roundhouse/dialects';
import { DIALECT_NAMES, isDialectName } from '@roundhouse/dialects';
import { MS_PER_MINUTE } from '../../base/durations.ts';
import { applyPreset, isPresetName, PRESET_NAMES } from '../jurisdictions/presets.ts';
import type { OperatorChange } from './changeOperator.ts';
import { judgeDialect } from './dialectChange.ts';

export type JudgedSettings =
  /** `overridden`: the fields that were given in place of the preset's. */
  { ok: true; change: OperatorChange; overridden: string[] } | { ok: false; issues: SettingsIssue[] };

type Known = { isKnownCurrency(code: string): boolean };

/**
 * Turns settings of the wire, which the contract has checked, into a change of an operator. The
 * other rules need what this server knows: presets, dialects and currencies.
 */
export function operatorChangeOf(settings: OperatorSettingsChange, { isKnownCurrency }: Known): JudgedSettings {
  const { sessionTimeoutMinutes, sessionLifetimeMinutes, jurisdictionPreset, dialect, dialectSettings, ...same } =
    settings;
  const { jurisdiction: given, currencies, languages, allowedCountries, blockedCountries, ...plain } = same;
  const issues: SettingsIssue[] = [];
  const preset = jurisdictionOf(jurisdictionPreset, given, issues);
  const wallet = dialectOf(dialect, dialectSettings, issues);
  const unknown = currencies?.find((code) => !isKnownCurrency(code));
  if (unknown !== undefined) issues.push({ field: 'currencies', message: `There is no currency ${unknown} here.` });
  if (issues.length > 0) return { ok: false, issues };
  const change = withoutUndefined({
    ...plain,
    sessionTimeoutMs: sessionTimeoutMinutes && sessionTimeoutMinutes * MS_PER_MINUTE,
    sessionLifetimeMs: sessionLifetimeMinutes && sessionLifetimeMinutes * MS_PER_MINUTE,
    allowedCountries: allowedCountries && unique(allowedCountries),
    blockedCountries: blockedCountries && unique(blockedCountries),
    jurisdiction: preset?.jurisdiction,
    dialect: wallet,
    currencies: currencies && unique(currencies as CurrencyCode[]),
    languages: languages && unique(languages as Language[]),
  });
  return { ok: true, change: change as OperatorChange, overridden: preset?.overridden ?? [] };
}

function jurisdictionOf(name: string | undefined, given: PartialJurisdiction | undefined, issues: SettingsIssue[]) {
  if (name === undefined) return given && { jurisdiction: given, overridden: [] };
  if (isPresetName(name)) return applyPreset(name, given ?? {});
  issues.push({ field: 'jurisdictionPreset', message: `The presets are ${PRESET_NAMES.join(', ')}.` });
  return undefined;
}

function dialectOf(name: string | undefined, settings: object | undefined, issues: SettingsIssue[]) {
  if (name === undefined) {
    if (settings !== undefined) issues.push({ field: 'dialect', message: 'The settings of a dialect need its name.' });
    return undefined;
  }
  if (!isDialectName(name)) {
    issues.push({ field: 'dialect', message: `The dialects are ${DIALECT_NAMES.join(', ')}.` });
    return undefined;
  }
  const judged = judgeDialect(name, settings && JSON.stringify(settings));
  if (judged.ok) return judged.change;
  const fieldOf = (field: string) => (field === '' ? 'dialectSettings' : `dialectSettings.${field}`);
  issues.push(...judged.issues.map(({ field, message }) => ({ field: fieldOf(field), message })));
  return undefined;
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Returns the value without its undefined members: those settings stay as they are. */
export function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
