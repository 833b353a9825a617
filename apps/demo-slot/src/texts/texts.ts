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
  /** Takes effect at the next `t`. */
  setSocial(on: boolean): void;
};

/** Downloads one language. Rejects when its file cannot be loaded. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: dictionary } = await DICTIONARIES[language]();
  return createTexts(language, dictionary);
}

/** i18next logs problems to the console. */
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
      return i18n.t(key, social ? { ...shown, context: 'social' } : shown);
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
