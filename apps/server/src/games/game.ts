import type { BetConfig, BetLimits, CurrencyCode, PartialJurisdiction } from '@roundhouse/contract';
import type { MathMode, MathPackage } from '@roundhouse/math';

/** What authenticate tells of the bet, in micros; one per currency. */
export type BetSettings = BetLimits & Pick<BetConfig, 'defaultBetLevel' | 'betLevels'>;

export type GameMode = {
  /** Upper case: the name on the wire. */
  key: string;
  /** Exact decimal text, for money. */
  costMultiplier: string;
  /** A bought feature, which a jurisdiction may forbid. */
  feature: boolean;
  /** A round that pays nothing is completed by play itself. */
  autoClose: boolean;
  math: MathMode;
};

/** One published version of a game, ready to be played. It never changes while it is served. */
export type GameVersion = {
  gameID: string;
  version: string;
  title: string;
  modes: ReadonlyMap<string, GameMode>;
  /** What the game asks for where operator and session say nothing. */
  jurisdiction: PartialJurisdiction;
  currencies: CurrencyCode[];
  /** Undefined for a currency that the game is not offered in. */
  betSettings(currency: CurrencyCode): BetSettings | undefined;
  math: MathPackage;
  /** The static front end, when the game brings one. */
  frontendFolder: string | undefined;
};
