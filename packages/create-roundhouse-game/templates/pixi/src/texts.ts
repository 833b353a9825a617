import type { Language } from '@roundhouse/sdk';
import en from './texts/en.json';

export type Texts = typeof en;

/** Another language is another file: `import fi from './texts/fi.json'`, then `{ en, fi }`. */
const TEXTS: Partial<Record<Language, Texts>> = { en };

export function textsFor(language: Language): Texts {
  document.documentElement.lang = TEXTS[language] ? language : 'en';
  document.documentElement.dir = language === 'ar' && TEXTS.ar ? 'rtl' : 'ltr';
  return TEXTS[language] ?? en;
}
