import { gzipSync } from 'node:zlib';
import { LANGUAGES, type Language } from '@roundhouse/sdk';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import en from './en.json';
import { DICTIONARIES, type Dictionary, loadTexts, type TextKey, type Texts } from './texts.ts';

const MAX_CHUNK_BYTES = 7 * 1024;
const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100];
/** These may equal the English texts: names, and words that languages share. */
const SHARED =
  /^(RTP|Cost|Wild|Turbo|Menu|Autoplay|Replay|Mode|Joker|Stop|Normal|Net|Demo|Locomotive|\{\{.*\}\}|.*\d×.*)$/;

const languages = Object.keys(LANGUAGES) as Language[];
const english: Dictionary = en;
const keys = [...new Set(Object.keys(english).map((name) => name.split('_')[0] ?? name))] as TextKey[];
const counted = new Set(keys.filter((key) => `${key}_other` in english));

/** A text can use each of these values. */
const VALUES = Object.fromEntries(
  Object.values(english)
    .flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)])
    .map(([, name]) => [name, '7']),
);

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort();
}

/**
 * Returns the names that a language's file must have for a key, with and without the social words.
 */
function namesOf(name: string, language: Language): string[] {
  if (!name.endsWith('_other')) return [name];
  const base = name.slice(0, -'_other'.length);
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((category) => `${base}_${category}`);
}

/** Returns every text as it is shown, for each count where there is one. */
function shownTexts(texts: Texts): { key: TextKey; text: string }[] {
  return keys.flatMap((key) =>
    counted.has(key)
      ? COUNTS.map((count) => ({ key, text: texts.t(key, { ...VALUES, count }) }))
      : [{ key, text: texts.t(key, VALUES) }],
  );
}

describe.each(languages)('%s', (language) => {
  let dictionary: Dictionary;
  let texts: Texts;

  beforeAll(async () => {
    dictionary = (await DICTIONARIES[language]()).default;
    texts = await loadTexts(language);
  });

  it('has each text, in each plural form of the language, and no other', () => {
    const wanted = Object.keys(english)
      .filter((name) => !name.endsWith('_one'))
      .flatMap((name) => namesOf(name, language));
    expect(Object.keys(dictionary).toSorted()).toEqual(wanted.toSorted());
  });

  it('has no empty text, and the placeholders of the English one', () => {
    for (const [name, text] of Object.entries(dictionary)) {
      const model = english[name] ?? english[name.replace(/_[a-z]+$/, '_other')] ?? '';
      expect(text.trim(), name).toBe(text);
      expect(text, name).not.toBe('');
      expect(placeholders(text), name).toEqual(placeholders(model));
    }
  });

  it('shows a complete text for each key, also in social words', () => {
    for (const isSocial of [false, true]) {
      texts.setSocial(isSocial);
      expect(texts.social).toBe(isSocial);
      for (const { key, text } of shownTexts(texts)) {
        expect(text, key).not.toContain('{{');
        expect(text, key).not.toBe(key);
      }
    }
    texts.setSocial(false);
  });

  it('writes in the direction of the language', () => {
    expect(texts.direction).toBe(LANGUAGES[language].direction);
    const shown = texts.t('sayWin', { amount: '$5.00' });
    expect(shown.includes('\u2068$5.00\u2069')).toBe(texts.direction === 'rtl');
    // Both multiples of the text: one is a value, the other a part of the words.
    const multiples = texts.t('multiplierNote', { max: '20' }).match(/\u2066[^×]*×\u2069/g) ?? [];
    expect(multiples).toHaveLength(texts.direction === 'rtl' ? 2 : 0);
  });

  it('is small to load', () => {
    expect(gzipSync(JSON.stringify(dictionary)).length).toBeLessThan(MAX_CHUNK_BYTES);
  });
});

it.each(languages.filter((language) => language !== 'en'))('%s is translated', async (language) => {
  const { default: dictionary } = await DICTIONARIES[language]();
  const leftOver = Object.entries(dictionary).filter(([name, text]) => text === english[name] && !SHARED.test(text));
  expect(leftOver).toEqual([]);
});

/** Lists words of betting and money, by their stems. In social mode none of them is shown. */
const FORBIDDEN: Readonly<Record<Language, RegExp>> = {
  cs: /sáz|vsaz|vsad|koup|nákup|peněz|peníz|\bplat|výplat|vypl[aá]|náklad|vklad|kasin/iu,
  da: /indsats|køb|penge|betal|omkostning|indsæt|kasino/iu,
  el: /στοίχημα|ποντάρισμα|πονταρ[ίι]σμ|αγορ|χρήμα|πληρών|πληρωμ|κόστ|κατάθεσ|καζίνο|τζόγ/iu,
  it: /puntat|scommess|acquist|compra|denaro|\bpag|\bcosto|deposit|preliev|casinò/iu,
  nl: /inzet|ingezet|kop(en|\b)|gekocht|\bgeld(?!t)|betaal|betaling|kosten|stort|gok|casino/iu,
  no: /innsats|kjøp|penge|betal|kostnad|sett inn|kasino/iu,
  ro: /\bmiz|cump[ăa]r|\bban(i|ul)?\b|plăt|plat[ăa]|\bcost|depun|fonduri|cazino|noroc/iu,
  sv: /insats|köp|pengar|betal|kostnad|sätt in|kasino/iu,
  ar: /رهان|راهن|شراء|مشتراة|مال\b|أموال|دفع|مدفوع|إيداع|سحب|كازينو/u,
  de: /einsatz|eingesetzt|wett|kauf|geld|(?<!an)zahl|kosten\b|kredit|casino/iu,
  en: /\b(re)?bet(s|ting)?\b|\bbuy|\bbought|purchas|\bcash|\bpay|\bpaid|money|wager|stake|gambl|deposit|withdraw|credit|\bcost|casino|currency/iu,
  es: /apuest|apostad|compr(?!ueb)|dinero|\bpag|coste|depósito|retir|casino|cobr/iu,
  fi: /panos|panok|(?<!\p{L})nosta|(?<!\p{L})(osta|ostet|maks|hin[tn])|raha|veloit|talleta\b|kasino/iu,
  fr: /\bmise|achet|achat|argent|\bpai|paye|coût|crédit|dépôt|casino|retrait/iu,
  hi: /दाँव|दांव|खरीद|पैसा|भुगतान|कीमत|जमा|कैसीनो/u,
  id: /taruh|\bbeli|dibeli|(?<!pel)uang|bayar|biaya|deposit|kasino|seharga/iu,
  ja: /ベット|購入|配当|賭|お金|支払|コスト|入金|カジノ/u,
  ko: /베팅|구매|돈|지급|비용|입금|카지노|배당/u,
  pl: /zakład|\bkup|pieni|płac|wypłat|koszt|wpłat|kasyno|postawion/iu,
  pt: /apost|compr|dinheiro|\bpag|custo|depósito|cassino|cobrad/iu,
  ru: /ставк|куп|деньг|денег|(?<!бес)плат|цена|депозит|казино|списан/iu,
  tr: /bahis|bahs|satın|para\b|öde(?!v)|maliyet|yatır|kumarhane|karşılığında/iu,
  vi: /cược|\bmua\b|tiền|trả thưởng|(?<!\p{L})giá(?!\p{L})|nạp|sòng/iu,
  zh: /投注|购买|资金|赔付|花费|充值|赌|付|买|钱/u,
};

it.each(languages)('social words in %s speak of no bet and no money', async (language) => {
  const texts = await loadTexts(language);
  texts.setSocial(true);
  const betrayed = shownTexts(texts).filter(({ text }) => FORBIDDEN[language].test(text));
  expect(betrayed).toEqual([]);
  texts.setSocial(false);
  // The list has to find the ordinary words.
  expect(shownTexts(texts).filter(({ text }) => FORBIDDEN[language].test(text)).length).toBeGreaterThan(15);
});

it('labels of the bar are short in every language', async () => {
  for (const language of languages) {
    const texts = await loadTexts(language);
    for (const isSocial of [false, true]) {
      texts.setSocial(isSocial);
      for (const key of [
        'balance',
        'bet',
        'win',
        'totalWin',
        'netPosition',
        'sessionTime',
        'turbo',
        'autoplay',
      ] as const) {
        expect(texts.t(key).length, `${language}: ${texts.t(key)}`).toBeLessThanOrEqual(16);
      }
    }
  }
});

it('nothing is written to the console, even for unknown keys', async () => {
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
  const texts = await loadTexts('fi');
  texts.t('win');
  texts.t('no such text' as TextKey);
  expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
});
