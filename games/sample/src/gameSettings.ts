const MICROS = 1_000_000;

/** Tenths of a whole unit, for a currency whose unit buys about as much as a US dollar. */
const LEVELS_TENTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const DEFAULT_LEVEL_TENTHS = 10;

/** How much higher the bets are where a unit of the currency buys less. */
const SCALES = {
  default: 1,
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
  VND: 20_000,
};

export type BetLimits = {
  minBet: number;
  maxBet: number;
  stepBet: number;
  defaultBetLevel: number;
  betLevels: number[];
};

/** What `game.json` of the sample game says. Amounts are integer micros. */
export const gameSettings = {
  id: 'sample-lines',
  version: '1.1.0',
  title: 'Sample Lines',
  betLimits: Object.fromEntries(Object.entries(SCALES).map(([currency, scale]) => [currency, betLimits(scale)])),
  // The test page shows every step of a round, so a losing one stays active until it is ended.
  modes: {
    BASE: { autoClose: false, feature: false },
    BONUS: { autoClose: false, feature: true },
  },
  jurisdiction: {},
};

function betLimits(scale: number): BetLimits {
  const tenth = (MICROS / 10) * scale;
  const betLevels = LEVELS_TENTHS.map((level) => level * tenth);
  return {
    minBet: Math.min(...betLevels),
    maxBet: Math.max(...betLevels),
    stepBet: tenth,
    defaultBetLevel: DEFAULT_LEVEL_TENTHS * tenth,
    betLevels,
  };
}
