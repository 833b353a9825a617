import { type Grant, LANGUAGES, type Language } from '@roundhouse/sdk';
import { createInstance, type LoggerModule } from 'i18next';
import type { SymbolCode } from '../../rules.ts';
import type en from './en.json';

/**
 * `key`, `key_one` … `key_other` by count, `key_social` and `key_social_one` … in social mode. Keys
 * have no other underscore.
 */
type WithoutSuffix<Key extends string> = Key extends `${infer Base}_${string}` ? Base : Key;

/** Every text that the game can show, as listed in the English file. */
export type TextKey = WithoutSuffix<keyof typeof en>;

/** Replaces `{{name}}` in a text. `count` also chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number>> & { readonly count?: number };

export type Dictionary = Readonly<Record<string, string>>;

/**
 * Each language has one chunk: a player downloads only the one that is shown. Each is complete,
 * so it needs no English fallback.
 */
export const DICTIONARIES: Readonly<Record<Language, () => Promise<{ readonly default: Dictionary }>>> = {
  ar: () => import('./ar.json'),
  cs: () => import('./cs.json'),
  da: () => import('./da.json'),
  de: () => import('./de.json'),
  el: () => import('./el.json'),
  en: () => import('./en.json'),
  es: () => import('./es.json'),
  fi: () => import('./fi.json'),
  fr: () => import('./fr.json'),
  hi: () => import('./hi.json'),
  id: () => import('./id.json'),
  it: () => import('./it.json'),
  ja: () => import('./ja.json'),
  ko: () => import('./ko.json'),
  nl: () => import('./nl.json'),
  no: () => import('./no.json'),
  pl: () => import('./pl.json'),
  pt: () => import('./pt.json'),
  ro: () => import('./ro.json'),
  ru: () => import('./ru.json'),
  sv: () => import('./sv.json'),
  tr: () => import('./tr.json'),
  vi: () => import('./vi.json'),
  zh: () => import('./zh.json'),
};

export type Texts = {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** Whether the words of social casinos are used: no "bet", "buy", "cash" and the like. */
  readonly social: boolean;
  t(key: TextKey, values?: TextValues): string;
  /** Takes effect at the next `t`. */
  setSocial(on: boolean): void;
};

/** Downloads one language. Rejects when its file cannot be loaded. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: dictionary } = await DICTIONARIES[language]();
  return createTexts(language, dictionary);
}

/** i18next would log to the console. */
const silentLogger: LoggerModule = { type: 'logger', log: () => {}, warn: () => {}, error: () => {} };

function createTexts(language: Language, dictionary: Dictionary): Texts {
  const i18n = createInstance();
  // i18next is ready when this returns, because the resources are given. So the promise is ignored.
  void i18n.use(silentLogger).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: dictionary } },
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    // Texts go into text nodes, never into markup.
    interpolation: { escapeValue: false, skipOnVariables: true },
  });

  const { direction } = LANGUAGES[language];
  let social = false;
  return {
    language,
    direction,
    get social() {
      return social;
    },
    t(key, values = {}) {
      const shown = direction === 'rtl' ? isolated(values) : values;
      const text = i18n.t(key, social ? { ...shown, context: 'social' } : shown);
      return direction === 'rtl' ? text.replace(MULTIPLES, '\u2066$&\u2069') : text;
    },
    setSocial(on) {
      social = on;
    },
  };
}

/**
 * Amounts are written from left to right in every language. In a right-to-left text a browser would
 * reverse "10.00 kr", so each amount is wrapped in FIRST STRONG ISOLATE … POP DIRECTIONAL ISOLATE.
 */
function isolated(values: TextValues): TextValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? `\u2068${value}\u2069` : value]),
  );
}

/** A multiple is written "7×" in every language. A right-to-left text would show the sign first. */
const MULTIPLES = /(?:\u2068[^\u2069]*\u2069|\d[\d.,]*)×/g;

type NamedSymbol = Extract<SymbolCode, 'W' | 'S' | `H${number}`>;

const NAME_KEYS: Readonly<Record<NamedSymbol, TextKey>> = {
  W: 'symbolWild',
  S: 'symbolScatter',
  H1: 'symbolH1',
  H2: 'symbolH2',
  H3: 'symbolH3',
  H4: 'symbolH4',
};

/** The low symbols are letters of station signs, the same in every language. */
const SIGNS: Readonly<Record<Exclude<SymbolCode, NamedSymbol>, string>> = {
  L1: 'A',
  L2: 'K',
  L3: 'Q',
  L4: 'J',
  L5: '10',
};

export function symbolName(symbol: SymbolCode, { t }: Pick<Texts, 't'>): string {
  return symbol in SIGNS ? SIGNS[symbol as keyof typeof SIGNS] : t(NAME_KEYS[symbol as NamedSymbol]);
}

/** Returns the text that says how free rounds have ended. */
export function endTextOf({ state }: Pick<Grant, 'state'>): TextKey {
  if (state === 'finished') return 'freeRoundsFinished';
  return state === 'expired' ? 'freeRoundsExpired' : 'freeRoundsCancelled';
}
