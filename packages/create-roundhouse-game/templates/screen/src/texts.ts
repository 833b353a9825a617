import type { Language } from '@roundhouse/sdk';
import en from './texts/en.json';

export type Texts = typeof en;

/** Another language is another file: `import fi from './texts/fi.json'`, then `{ en, fi }`. */
const TEXTS: Partial<Record<Language, Texts>> = { en };

/**
 * Returns the texts of a language. If a social casino needs other words, they have a second key:
 * `bet`, `bet_social`.
 */
export function textsFor(language: Language, isSocial: boolean): Texts {
  document.documentElement.lang = TEXTS[language] ? language : 'en';
  document.documentElement.dir = language === 'ar' && TEXTS.ar ? 'rtl' : 'ltr';
  const texts: Record<string, string> = TEXTS[language] ?? en;
  if (!isSocial) return texts as Texts;
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, texts[`${name}_social`] ?? text]),
  ) as Texts;
}

/** Puts values into the placeholders of a text: `{{count}} lines`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}
