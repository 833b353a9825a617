/** The supported display languages with their name and writing direction. */
export const LANGUAGES = {
  ar: { name: 'Arabic', direction: 'rtl' },
  de: { name: 'German', direction: 'ltr' },
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Spanish', direction: 'ltr' },
  fi: { name: 'Finnish', direction: 'ltr' },
  fr: { name: 'French', direction: 'ltr' },
  hi: { name: 'Hindi', direction: 'ltr' },
  id: { name: 'Indonesian', direction: 'ltr' },
  ja: { name: 'Japanese', direction: 'ltr' },
  ko: { name: 'Korean', direction: 'ltr' },
  pl: { name: 'Polish', direction: 'ltr' },
  pt: { name: 'Portuguese', direction: 'ltr' },
  ru: { name: 'Russian', direction: 'ltr' },
  tr: { name: 'Turkish', direction: 'ltr' },
  vi: { name: 'Vietnamese', direction: 'ltr' },
  zh: { name: 'Chinese', direction: 'ltr' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>;

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';

/** Whether a text is a supported language, exactly as written. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/**
 * The language of a launch parameter. Case and region do not matter (`pt-BR`, `zh_CN`, ` EN `).
 * `br`, which some lobbies send for Brazil, is Portuguese. Anything unknown or missing is English.
 */
export function toLanguage(value: string | null | undefined): Language {
  const primary = (value ?? '').trim().toLowerCase().split(/[-_]/, 1)[0];
  if (primary === 'br') return 'pt';
  return isLanguage(primary) ? primary : DEFAULT_LANGUAGE;
}
