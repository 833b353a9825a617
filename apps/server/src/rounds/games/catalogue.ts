import {
  type BetConfig,
  type BetLimits,
  type ConfiguredCurrency,
  type CurrencyCode,
  type Draws,
  KNOWN_CURRENCY_CODES,
  type PartialJurisdiction,
  type TableCommitment,
} from '@roundhouse/contract';
import type { MathMode, MathPackage } from '@roundhouse/math';
import type { Refused } from '../../base/refusal.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';

/** The settings in micros that authenticate shows, one per currency. */
export type BetSettings = BetLimits & Pick<BetConfig, 'defaultBetLevel' | 'betLevels'>;

export type GameMode = {
  /** The name in upper case: the database, operators and wallets know the mode by it. */
  key: string;
  /** The name that games see: as it was published, or the key if game.json says so. */
  name: string;
  /** It is exact decimal text, because it multiplies money. */
  costMultiplier: string;
  /** A jurisdiction may forbid a bought feature. */
  feature: boolean;
  /** If set, the play itself completes a round that pays nothing. */
  autoClose: boolean;
  /** As the math tool says it, whatever game.json does. */
  mathAutoClose: boolean;
  math: MathMode;
};

/** Returns the commitment to the lookup table of a mode, on the wire. */
export function commitmentOf({ commitment }: Pick<MathMode, 'commitment'>): TableCommitment {
  return { ...commitment, totalWeight: commitment.totalWeight.toString() };
}

/**
 * A published version that is ready to be played. It never changes while it is served; only
 * `dev --strict engine` sets `autoClose` of its modes when it is first served.
 */
export type GameVersion = {
  gameID: string;
  version: string;
  title: string;
  modes: ReadonlyMap<string, GameMode>;
  /**
   * The modes as authenticate shows them, by name, each with the commitment to its lookup table.
   */
  betModes: BetConfig['betModes'];
  /** The defaults. Settings of the operator and the session override them. */
  jurisdiction: PartialJurisdiction;
  /** How its sessions draw, if neither the launch nor the operator says it. */
  draws?: Draws | undefined;
  currencies: CurrencyCode[];
  /** Returns undefined for a currency that the game is not offered in. */
  betSettings(currency: CurrencyCode): BetSettings | undefined;
  /** `default` holds for every currency without a setting. */
  betLimits: Readonly<Record<string, BetSettings>>;
  math: MathPackage;
  /** It is undefined when the game brings no static front end. */
  frontendFolder: string | undefined;
  /** Its path begins below the front end. */
  thumbnail: string | undefined;
};

/** The games that this node serves. */
export type Catalogue = {
  /** The games have the order in which they were loaded. */
  games: readonly GameVersion[];
  find(gameID: string, version: string): GameVersion | undefined;
  /** Returns the version that was served last, of the game or, without an id, of the first game. */
  current(gameID?: string): GameVersion | undefined;
  currencies: readonly ConfiguredCurrency[];
  /** Calls `listener` with each version that is served now or later. */
  onServed(listener: (game: GameVersion) => void): void;
  /**
   * Makes the version the current one of its game. The earlier ones stay served, for the sessions
   * that use them. When the version is served already, closes the new math and returns the served
   * version.
   */
  serve(game: GameVersion): Promise<GameVersion>;
  /**
   * Returns the math of a mode, also for a version that is no longer served: rounds stay on the
   * version on which they were played, and its books are kept on disk.
   */
  math(key: { gameID: string; version: string; mode: string }): MathMode | undefined;
  /**
   * Returns the name by which games see the mode of this key, also of a version that is no longer
   * served.
   */
  modeName(key: { gameID: string; version: string; mode: string }): string;
  close(): Promise<void>;
};

/** A version that was published before, and whose books are still here. */
export type RetiredVersion = Pick<GameVersion, 'gameID' | 'version' | 'math'>;

type CatalogueOptions = {
  retired?: readonly RetiredVersion[];
  currencies?: readonly ConfiguredCurrency[] | undefined;
};

export function createCatalogue(
  games: readonly GameVersion[],
  { retired = [], currencies = [] }: CatalogueOptions = {},
): Catalogue {
  const list = [...games];
  const served = new Map(games.map((game) => [keyOf(game.gameID, game.version), game]));
  const current = new Map(games.map((game) => [game.gameID, game]));
  const math = new Map([...retired, ...games].map((game) => [keyOf(game.gameID, game.version), game.math]));
  const opened = new Set([...retired, ...games].map((game) => game.math));
  const listeners: ((game: GameVersion) => void)[] = [];
  const find = (gameID: string, version: string) => served.get(keyOf(gameID, version));
  const mathOf: Catalogue['math'] = ({ gameID, version, mode }) => math.get(keyOf(gameID, version))?.modes.get(mode);
  return {
    games: list,
    currencies,
    find,
    current: (gameID = list[0]?.gameID) => (gameID === undefined ? undefined : current.get(gameID)),
    math: mathOf,
    modeName(key) {
      // Only the math of a retired version is known. Its front end is that of the current version.
      const game = find(key.gameID, key.version) ?? current.get(key.gameID);
      return game?.modes.get(key.mode)?.name ?? mathOf(key)?.name ?? key.mode;
    },
    onServed(listener) {
      listeners.push(listener);
      for (const game of list) listener(game);
    },
    async serve(game) {
      const key = keyOf(game.gameID, game.version);
      const known = served.get(key);
      current.set(game.gameID, known ?? game);
      if (known !== undefined) {
        await game.math.close();
        return known;
      }
      opened.add(game.math);
      math.set(key, game.math);
      served.set(key, game);
      list.push(game);
      for (const listener of listeners) listener(game);
      return game;
    },
    async close() {
      await Promise.all([...opened].map((each) => each.close()));
    },
  };
}

function keyOf(gameID: string, version: string): string {
  return `${gameID}/${version}`;
}

/**
 * Returns the name by which a mode is looked up: case does not count. Only A to Z are changed,
 * since published names are ASCII: a full upper-casing would also turn a long s (U+017F) into an S.
 */
export function modeKey(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Returns whether the server knows a currency: those of ISO 4217, the social ones, and those in its
 * settings.
 */
export function isKnownCurrency({ currencies }: Pick<Catalogue, 'currencies'>, code: CurrencyCode): boolean {
  return KNOWN_CURRENCY_CODES.includes(code) || currencies.some((each) => each.code === code);
}

/** Says why the server refuses a currency in which none of its games can be offered. */
export function unknownCurrency(code: CurrencyCode): string {
  return `currency: ${code} is not a currency of ISO 4217, and the settings of this server have none of this code`;
}

/**
 * Refuses a session of a version that is not here any more: the player launches again and resumes
 * in the new session.
 */
export function notServed({ gameID, gameVersion }: SessionFacts): Refused {
  return { ok: false, refusal: 'not_served', detail: `version ${gameVersion} of game ${gameID} is not served here` };
}
