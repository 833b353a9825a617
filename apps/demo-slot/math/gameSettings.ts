import { GAME_ID, GAME_TITLE, GAME_VERSION } from '../rules.ts';

const MICROS_PER_TENTH = 100_000;

/** Tenths of a unit, for a currency whose unit buys about as much as a US dollar. */
const LEVELS_TENTHS = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000];
const DEFAULT_LEVEL_TENTHS = 10;

/**
 * The factor of the bets for currencies whose unit buys less. At 10,000 the largest win is half of
 * the largest amount of money.
 */
const SCALES = {
  default: 1,
  USD: 1,
  CAD: 1,
  EUR: 1,
  BRL: 1,
  PLN: 1,
  PEN: 1,
  XSC: 1,
  CNY: 10,
  DKK: 10,
  MXN: 20,
  PHP: 50,
  TRY: 50,
  INR: 100,
  JPY: 100,
  RUB: 100,
  ARS: 1000,
  CLP: 1000,
  KRW: 1000,
  XGC: 1000,
  IDR: 10_000,
  VND: 10_000,
};

export type BetLimits = {
  readonly minBet: number;
  readonly maxBet: number;
  readonly stepBet: number;
  readonly defaultBetLevel: number;
  readonly betLevels: readonly number[];
};

/** The build writes this as `game.json`. Amounts are integer micros. */
export const gameSettings = {
  id: GAME_ID,
  version: GAME_VERSION,
  title: GAME_TITLE,
  /** The front end has it: public/thumbnail.svg. */
  thumbnail: 'thumbnail.svg',
  betLimits: Object.fromEntries(Object.entries(SCALES).map(([currency, scale]) => [currency, betLimits(scale)])),
  modes: { BONUS: { feature: true } },
  jurisdiction: {},
  /** src/texts has a file for each. */
  languages: [
    'ar',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'fi',
    'fr',
    'hi',
    'id',
    'it',
    'ja',
    'ko',
    'nl',
    'no',
    'pl',
    'pt',
    'ro',
    'ru',
    'sv',
    'tr',
    'vi',
    'zh',
  ],
};

function betLimits(scale: number): BetLimits {
  const tenth = MICROS_PER_TENTH * scale;
  const betLevels = LEVELS_TENTHS.map((level) => level * tenth);
  return {
    minBet: Math.min(...betLevels),
    maxBet: Math.max(...betLevels),
    stepBet: tenth,
    defaultBetLevel: DEFAULT_LEVEL_TENTHS * tenth,
    betLevels,
  };
}
