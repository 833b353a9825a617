import {
  type CurrencyCode,
  DEFAULT_JURISDICTION,
  DEFAULT_LANGUAGE,
  type Device,
  isLanguage,
  type Jurisdiction,
  type Language,
  MAX_ROUND_DURATION_MS,
  mapFlags,
} from '@roundhouse/contract/light';
import type { LaunchRequest } from '../api/apiTypes.ts';

/** How a game is opened. `country` is as typed. */
export type PlayChoices = {
  readonly language: Language;
  readonly device: Device;
  readonly social: boolean;
  readonly country: string;
  readonly jurisdiction: Readonly<Jurisdiction>;
};

export const DEFAULT_CHOICES: PlayChoices = {
  language: DEFAULT_LANGUAGE,
  device: 'desktop',
  social: false,
  country: '',
  jurisdiction: DEFAULT_JURISDICTION,
};

/** Whether the country is left out or a code of two letters. */
export function isCountryFit(country: string): boolean {
  return country === '' || /^[A-Za-z]{2}$/.test(country);
}

/** What is demanded: the flags that are on, and a duration above zero. The rest is left to the operator's and the game's own. */
export function demandsOf(jurisdiction: Readonly<Jurisdiction>): Partial<Jurisdiction> {
  return Object.fromEntries(Object.entries(jurisdiction).filter(([, value]) => value !== false && value !== 0));
}

/** The launch that these choices ask for. */
export function launchRequestOf(
  { language, device, social, country, jurisdiction }: PlayChoices,
  opening: { playerID: string; gameID: string; currency: CurrencyCode },
): LaunchRequest {
  const demands = demandsOf(jurisdiction);
  return {
    ...opening,
    lang: language,
    device,
    ...(social && { social }),
    ...(country !== '' && { country: country.toUpperCase() }),
    ...(Object.keys(demands).length > 0 && { jurisdiction: demands }),
  };
}

/** Choices as they were kept by an earlier visit. What is missing or does not fit is the default: the store is not ours alone. */
export function readChoices(kept: unknown): PlayChoices {
  const { language, device, social, country, jurisdiction } = recordOf(kept);
  const duration = recordOf(jurisdiction).minimumRoundDuration;
  return {
    language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
    device: device === 'mobile' ? 'mobile' : 'desktop',
    social: social === true,
    country: typeof country === 'string' && isCountryFit(country) ? country : '',
    jurisdiction: {
      ...mapFlags((flag) => recordOf(jurisdiction)[flag] === true),
      minimumRoundDuration: isRoundDuration(duration) ? duration : 0,
    },
  };
}

/** Whether a round may be asked to last this long, in milliseconds. */
export function isRoundDuration(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_ROUND_DURATION_MS;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
