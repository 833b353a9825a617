import type { Language } from '@roundhouse/sdk';

export type Dictionary = Readonly<Record<string, string>>;

/**
 * One chunk per language: a player downloads only the one that is shown. Each is complete, so
 * English is no fallback.
 */
export const DICTIONARIES: Readonly<Record<Language, () => Promise<{ readonly default: Dictionary }>>> = {
  ar: () => import('./ar.json'),
  de: () => import('./de.json'),
  en: () => import('./en.json'),
  es: () => import('./es.json'),
  fi: () => import('./fi.json'),
  fr: () => import('./fr.json'),
  hi: () => import('./hi.json'),
  id: () => import('./id.json'),
  ja: () => import('./ja.json'),
  ko: () => import('./ko.json'),
  pl: () => import('./pl.json'),
  pt: () => import('./pt.json'),
  ru: () => import('./ru.json'),
  tr: () => import('./tr.json'),
  vi: () => import('./vi.json'),
  zh: () => import('./zh.json'),
};
