import type { AdminOperatorDetail, OperatorSettingsInput } from '@roundhouse/contract/admin';
import { OPERATOR_DEFAULTS } from '@roundhouse/contract/admin-routes';

/** The form keeps its fields as typed. */
export type OperatorValues = {
  code: string;
  name: string;
  walletUrl: string;
  walletTimeoutMs: number | string;
  dialect: string;
  /** JSON; empty keeps the stored settings. */
  dialectSettings: string;
  currencies: string[];
  languages: string[];
  defaultGame: string;
  isDefault: boolean;
  launchedOnly: boolean;
  freeRounds: boolean;
  maxFreeRounds: number | string;
  closingDebits: boolean;
  /** 'game': as set by the game. */
  draws: string;
  sessionTimeoutMinutes: number | string;
  sessionLifetimeMinutes: number | string;
  /** Empty: rounds wait for the player. */
  completeRoundsAfterHours: number | string;
  /** Codes, separated by commas. */
  allowedCountries: string;
  blockedCountries: string;
};

/** Returns the initial form: the stored settings, or those of a new operator. */
export function valuesOf(operator: AdminOperatorDetail | undefined): OperatorValues {
  const settings = operator ?? { code: '', name: '', ...OPERATOR_DEFAULTS };
  return {
    ...settings,
    dialectSettings: '',
    walletUrl: settings.walletUrl ?? '',
    defaultGame: settings.defaultGame ?? '',
    draws: settings.draws ?? 'game',
    completeRoundsAfterHours: settings.completeRoundsAfterHours ?? '',
    allowedCountries: settings.allowedCountries.join(', '),
    blockedCountries: settings.blockedCountries.join(', '),
  };
}

export type OperatorChanges = { ok: true; settings: OperatorSettingsInput } | { ok: false; message: string };

/** Returns the settings that differ from the initial form, as the request takes them. */
export function changesOf(before: OperatorValues, after: OperatorValues): OperatorChanges {
  const dialectSettings = readObject(after.dialectSettings);
  if (dialectSettings === null) return { ok: false, message: 'This is not a JSON object.' };
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
  );
  const settings: OperatorSettingsInput = Object.fromEntries(changed);
  // The dialect checks its settings by its schema, so the request names it with them.
  if (dialectSettings !== undefined) Object.assign(settings, { dialectSettings, dialect: after.dialect });
  return { ok: true, settings };
}

function settingsOf(values: OperatorValues) {
  const { code: _, dialectSettings: _text, ...same } = values;
  return {
    ...same,
    walletUrl: emptyIsNull(values.walletUrl),
    defaultGame: emptyIsNull(values.defaultGame),
    draws: values.draws === 'game' ? null : values.draws,
    completeRoundsAfterHours: emptyIsNull(values.completeRoundsAfterHours) as number | null,
    allowedCountries: listOf(values.allowedCountries),
    blockedCountries: listOf(values.blockedCountries),
  };
}

function emptyIsNull<Value>(value: Value): Value | null {
  return value === '' ? null : value;
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== '');
}

/** Returns undefined for an empty text, null for one that is not a JSON object. */
export function readObject(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
