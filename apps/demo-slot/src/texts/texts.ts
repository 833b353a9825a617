import { LANGUAGES, type Language } from '@roundhouse/sdk';
import { createInstance, type LoggerModule } from 'i18next';
import { DICTIONARIES, type Dictionary } from './dictionaries.ts';
import type { TextKey, TextValues } from './textKeys.ts';

export type { TextKey, TextValues } from './textKeys.ts';

/** The words of the game in one language. */
export type Texts = {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** Whether the words of social casinos are used: no "bet", "buy", "cash" and the like. */
  readonly social: boolean;
  t(key: TextKey, values?: TextValues): string;
  /** From the next `t` on. */
  setSocial(on: boolean): void;
};

/** Downloads one language. Rejects when its file cannot be loaded. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: dictionary } = await DICTIONARIES[language]();
  return createTexts(language, dictionary);
}

/** A page with a clean console: i18next writes there when something is amiss. */
const silentLogger: LoggerModule = { type: 'logger', log: () => {}, warn: () => {}, error: () => {} };

function createTexts(language: Language, dictionary: Dictionary): Texts {
  const i18n = createInstance();
  // Ready when this returns: there are resources and nothing to wait for. So the promise is of no interest.
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
      return i18n.t(key, social ? { ...shown, context: 'social' } : shown);
    },
    setSocial(on) {
      social = on;
    },
  };
}

/**
 * Amounts are written from left to right in every language. Between words of a right-to-left one a browser would
 * otherwise turn "10.00 kr" round, so each is wrapped in FIRST STRONG ISOLATE … POP DIRECTIONAL ISOLATE.
 */
function isolated(values: TextValues): TextValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? `\u2068${value}\u2069` : value]),
  );
}
