import type { PartialJurisdiction } from '@roundhouse/contract';
import type { OperatorLimitsChange, OperatorSettingsChange } from '@roundhouse/contract/admin';
import { operatorChangeOf } from '../../../operators/settings/operatorChange.ts';
import type { OperatorLimits, OperatorRecord } from '../../../store/operators/operators.ts';
import { shownSettings } from '../operatorHandlers.ts';
import {
  changeLine,
  type Detail,
  keysText,
  limitText,
  linesOf,
  namedAsWords,
  valueText,
  type WordsOf,
} from './words.ts';

/** Returns a detail for each setting that is given, with the value that it replaces. */
export function settingLines(given: OperatorSettingsChange, stored: OperatorRecord | undefined): Detail[] {
  const before = stored && shownSettings(stored);
  const judged = operatorChangeOf(given, { isKnownCurrency: () => true });
  const jurisdiction = judged.ok ? judged.change.jurisdiction : undefined;
  const lines = linesOf(given, settingWords(before));
  return [...lines, ...(jurisdiction ? jurisdictionLines(before?.jurisdiction ?? {}, jurisdiction) : [])];
}

type Shown = ReturnType<typeof shownSettings>;

function settingWords(before: Shown | undefined): WordsOf<OperatorSettingsChange> {
  const plain = (label: string, name: keyof Shown & keyof OperatorSettingsChange) => (value: unknown) =>
    changeLine(label, before && valueText(before[name]), valueText(value));
  const list = (
    label: string,
    name: 'currencies' | 'languages' | 'allowedCountries' | 'blockedCountries',
    empty: string,
  ) => {
    const text = (values: readonly string[]) => values.join(', ') || empty;
    return (values: readonly string[]) => changeLine(label, before && text(before[name]), text(values));
  };
  const walletText = (url: string | null) => url ?? 'the house wallet';
  return {
    name: plain('Name', 'name'),
    walletUrl: (url) => changeLine('Wallet', before && walletText(before.walletUrl), walletText(url)),
    walletTimeoutMs: plain('Wallet time-out (ms)', 'walletTimeoutMs'),
    dialect: plain('Dialect', 'dialect'),
    dialectSettings: (settings) => changeLine('Dialect settings', undefined, keysText(settings)),
    currencies: list('Currencies', 'currencies', 'all'),
    languages: list('Extra languages', 'languages', 'none'),
    sessionTimeoutMinutes: plain('Session time-out (min)', 'sessionTimeoutMinutes'),
    sessionLifetimeMinutes: plain('Session lifetime (min)', 'sessionLifetimeMinutes'),
    allowedCountries: list('Allowed countries', 'allowedCountries', 'all'),
    blockedCountries: list('Blocked countries', 'blockedCountries', 'none'),
    completeRoundsAfterHours: plain('Complete abandoned rounds after (hours)', 'completeRoundsAfterHours'),
    defaultGame: plain('Default game', 'defaultGame'),
    isDefault: plain('Default operator', 'isDefault'),
    launchedOnly: plain('Only sessions from a launch can play', 'launchedOnly'),
    freeRounds: plain('The wallet supports free rounds', 'freeRounds'),
    maxFreeRounds: plain('Max free rounds per grant', 'maxFreeRounds'),
    closingDebits: plain('The wallet supports debits that close a lost round', 'closingDebits'),
    draws: (draws) => changeLine('Draws', before && drawsText(before.draws), drawsText(draws)),
    jurisdictionPreset: (name) => changeLine('Jurisdiction preset', undefined, name),
    // The fields of preset and request together have their lines below.
    jurisdiction: () => [],
  };
}

function drawsText(draws: 'certified' | 'provablyFair' | null): string {
  if (draws === null) return 'as set by the game';
  return draws === 'provablyFair' ? 'provably fair' : 'certified generator';
}

/** The new rules replace the old ones: a field that is left out is gone. */
function jurisdictionLines(before: PartialJurisdiction, after: PartialJurisdiction): Detail[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PartialJurisdiction)[];
  const changed = names.filter((name) => valueText(before[name]) !== valueText(after[name]));
  if (changed.length === 0) return changeLine('Jurisdiction', 'the same rules', 'the same rules');
  return changed.flatMap((name) =>
    changeLine(`Jurisdiction, ${namedAsWords(name)}`, valueText(before[name]), valueText(after[name])),
  );
}

/** Returns a detail for each limit that is given. */
export function operatorLimitLines(
  given: readonly OperatorLimitsChange[],
  stored: readonly OperatorLimits[],
): Detail[] {
  return given.flatMap((change) => {
    const { currency } = change;
    const before = stored.find((each) => each.currency === currency);
    const limit = (label: string, name: Exclude<keyof OperatorLimitsChange, 'currency'>) => (micros: number | null) =>
      changeLine(`${currency}, ${label}`, limitText(before?.[name] ?? null, currency), limitText(micros, currency));
    return linesOf<OperatorLimitsChange>(change, {
      currency: () => [],
      maxBetMicros: limit('max bet', 'maxBetMicros'),
      dailyWagerLimitMicros: limit('daily wager limit', 'dailyWagerLimitMicros'),
      dailyLossLimitMicros: limit('daily loss limit', 'dailyLossLimitMicros'),
      largeBetMicros: limit('large bet', 'largeBetMicros'),
      largeWinMicros: limit('large win', 'largeWinMicros'),
      largeDailyWagerMicros: limit('large daily wager', 'largeDailyWagerMicros'),
      largeDailyWinMicros: limit('large daily wins', 'largeDailyWinMicros'),
      maxGrantLiabilityMicros: limit('max win per grant', 'maxGrantLiabilityMicros'),
    });
  });
}
