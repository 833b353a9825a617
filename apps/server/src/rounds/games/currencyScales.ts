import { type CurrencyCode, MAX_MICROS, toMicros } from '@roundhouse/contract';
import type { BetSettings } from './catalogue.ts';

/**
 * Bets in a currency are those in US dollars times its scale: the power of ten for which a tenth of
 * it is worth 2 to 20 US cents. A currency without a row has 1. The rates are those of 2026-09-29
 * in github.com/fawazahmed0/exchange-api (npm: @fawazahmed0/currency-api 2026.9.29, usd.json).
 * Another power changes the bets of published games, so change a row only when its currency has
 * moved far.
 */
const SCALES = [
  {
    scale: 10,
    codes: `CNY BRL MXN DKK TRY BOB BWP CUP CZK ERN GHS GTQ HKD HNL LSL LYD MAD MDL MOP MRU MUR MVR NAD NIO NOK SBD SCR
      SEK SLE SRD STN SVC SZL THB TJS TTD TWD UAH UYU ZAR ZMW ZWG`,
  },
  {
    scale: 100,
    codes: `JPY RUB PHP INR AFN ALL AMD BDT BTN CRC CVE DJF DOP DZD EGP ETB GMD GYD HTG HUF ISK JMD KES KGS KMF KZT LKR
      LRD MKD MZN NPR PKR RSD VUV XPF YER`,
  },
  {
    scale: 1000,
    codes: 'KRW CLP ARS AOA BIF CDF COP IQD KHR KPW MGA MMK MNT MWK NGN RWF SDG SOS TZS UGX VED VES XAF XOF',
  },
  { scale: 10_000, codes: 'IDR VND GNF LAK PYG SSP SYP UZS' },
  { scale: 100_000, codes: 'LBP' },
  { scale: 1_000_000, codes: 'IRR' },
].map(({ scale, codes }) => ({ scale, codes: codes.split(/\s+/) }));

/** Returns whether a unit of the currency is worth less than 20 US cents. */
export function isWorthLittle(currency: CurrencyCode): boolean {
  return SCALES.some(({ codes }) => codes.includes(currency));
}

type Limits = Readonly<Record<string, BetSettings>>;

/**
 * Returns the limits with those of each currency that `scaled` covers. The largest levels are left
 * out if a bet would cost or pay more than money can hold. If every level would, the currency has
 * the limits of a dollar.
 * @param fits whether every bet within the settings has a price and payouts that money can hold
 */
export function withScaled({ scaled, ...named }: Limits, fits: (settings: BetSettings) => boolean): Limits {
  if (scaled === undefined) return named;
  const byCurrency: Record<string, BetSettings> = { default: scaled };
  for (const { scale, codes } of SCALES) {
    // Currencies with the same scale share an object, so all payouts are checked once.
    const settings = times(scaled, scale);
    const fitting = settings && withinMoney(settings, fits);
    if (fitting !== undefined) for (const code of codes) byCurrency[code] = fitting;
  }
  return { ...byCurrency, ...named };
}

/** Returns undefined when an amount leaves the range of money. */
function times({ minBet, maxBet, stepBet, defaultBetLevel, betLevels }: BetSettings, scale: number) {
  if (maxBet > MAX_MICROS / scale) return undefined;
  return {
    minBet: toMicros(minBet * scale),
    maxBet: toMicros(maxBet * scale),
    stepBet: toMicros(stepBet * scale),
    defaultBetLevel: defaultBetLevel * scale,
    betLevels: betLevels.map((level) => level * scale),
  };
}

function withinMoney(settings: BetSettings, fits: (settings: BetSettings) => boolean): BetSettings | undefined {
  if (fits(settings)) return settings;
  for (let count = settings.betLevels.length; count > 0; count -= 1) {
    const betLevels = settings.betLevels.slice(0, count);
    const largest = betLevels.at(-1) ?? 0;
    const defaultBetLevel = Math.min(settings.defaultBetLevel, largest);
    const fewer = { ...settings, maxBet: toMicros(largest), defaultBetLevel, betLevels };
    if (fits(fewer)) return fewer;
  }
  return undefined;
}
