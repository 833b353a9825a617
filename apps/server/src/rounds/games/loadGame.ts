import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type BetConfig,
  betConfigIssues,
  type ConfiguredCurrency,
  type CurrencyCode,
  KNOWN_CURRENCY_CODES,
  MICROS_PER_UNIT,
  multiplyMicros,
  payoutOf,
  toMicros,
} from '@roundhouse/contract';
import {
  LINK_ISSUE,
  type LoadProgress,
  type MathIssue,
  type MathMode,
  type MathPackage,
  missedDecimal,
  openMath,
} from '@roundhouse/math';
import { type BetSettings, commitmentOf, type GameMode, type GameVersion, modeKey } from './catalogue.ts';
import { withScaled } from './currencyScales.ts';
import { type GameFile, isGameName, type MathToolConfig, readGameFile, readMathToolConfig } from './gameFile.ts';
import { type GameFolder, locateGame, symbolicLinksOf } from './locateGame.ts';

export type LoadGameOptions = {
  folder: string;
  /** The folder keeps the indexed books of all games. */
  storeFolder: string;
  onProgress?: (progress: LoadProgress) => void;
  signal?: AbortSignal;
  /** Gives each content a different version, even when game.json keeps its version. */
  versionByContent?: boolean;
  /** The currencies in the server's settings; none when left out. */
  currencies?: readonly ConfiguredCurrency[];
};

/**
 * `issues` are sentences for the studio, each naming its file. `mathIssues` come from the verifier,
 * and the caller may print them.
 */
export type LoadGameOutcome =
  | { ok: true; game: GameVersion }
  | { ok: false; issues: string[]; mathIssues?: { issues: MathIssue[]; issueCount: number } };

export type RefusedGame = Extract<LoadGameOutcome, { ok: false }>;

/**
 * The front ends of the publisher's SDK end no losing round: without auto-close, every play after
 * the first one would be refused.
 */
const AUTO_CLOSE = true;
/**
 * From this cost on, a mode counts as a bought feature; an ante or a boost costs a few bets at
 * most.
 */
const FEATURE_COST = 10;

/** Loads one version of a game from a game folder or a bare set of published files. */
export async function loadGame(options: LoadGameOptions): Promise<LoadGameOutcome> {
  const found = await locateGame(options.folder);
  if (found === undefined) {
    return {
      ok: false,
      issues: [`${options.folder}: no game.json and no index.json here: neither a game nor published math`],
    };
  }
  const links = await symbolicLinksOf(found, options.folder);
  if (links.length > 0) return { ok: false, issues: links.map((link) => `${link}: ${LINK_ISSUE}`) };
  const files = await readDescriptions(found);
  if (!files.ok) return files;

  const { onProgress, signal, storeFolder } = options;
  const math = await openMath({
    folder: found.mathFolder,
    storeFolder,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  if (!math.ok) {
    const { issues, issueCount } = math;
    return {
      ok: false,
      issues: [`${found.mathFolder}: the published math is refused`],
      mathIssues: { issues, issueCount },
    };
  }
  const known = [...KNOWN_CURRENCY_CODES, ...(options.currencies ?? []).map(({ code }) => code)];
  const descriptions = { ...files, thumbnailIssues: await thumbnailIssues(found, files) };
  const outcome = assemble(found, descriptions, { math: math.value, known });
  if (outcome.ok && options.versionByContent) outcome.game.version = contentVersion(outcome.game, files);
  if (!outcome.ok) await math.value.close();
  return outcome;
}

type Descriptions = { gameFile: GameFile | undefined; config: MathToolConfig | undefined };

async function readDescriptions(
  found: GameFolder,
): Promise<({ ok: true } & Descriptions) | { ok: false; issues: string[] }> {
  const gameFile = found.gameFile === undefined ? undefined : await readGameFile(found.gameFile);
  if (gameFile?.ok === false) return gameFile;
  const config = found.mathToolConfig === undefined ? undefined : await readMathToolConfig(found.mathToolConfig);
  if (config?.ok === false) return config;
  return { ok: true, gameFile: gameFile?.value, config: config?.value };
}

const MAX_THUMBNAIL_BYTES = 1_000_000;

/**
 * A page on another server may bring its own picture, so the thumbnail is checked only with a front
 * end.
 */
async function thumbnailIssues({ frontendFolder }: GameFolder, { gameFile }: Descriptions): Promise<string[]> {
  const thumbnail = gameFile?.thumbnail;
  if (thumbnail === undefined || frontendFolder === undefined) return [];
  const file = await stat(path.join(frontendFolder, thumbnail)).catch(() => undefined);
  if (!file?.isFile()) return [`thumbnail: there is no file frontend/${thumbnail}`];
  if (file.size <= MAX_THUMBNAIL_BYTES) return [];
  return [`thumbnail: frontend/${thumbnail} has ${file.size} bytes; ${MAX_THUMBNAIL_BYTES} are the most`];
}

type Opened = { math: MathPackage; known: readonly CurrencyCode[] };

function assemble(
  found: GameFolder,
  { gameFile, config, thumbnailIssues }: Descriptions & { thumbnailIssues: string[] },
  { math, known }: Opened,
): LoadGameOutcome {
  const modes = gameModes(math, gameFile, config);
  const named: GameFile['betLimits'] = gameFile?.betLimits ?? { scaled: DEFAULT_BET_SETTINGS };
  const issues = [
    ...thumbnailIssues,
    ...unknownModes(gameFile, math),
    ...unknownCurrencies(named, known),
    ...costIssues(modes),
    ...Object.entries(named).flatMap(([label, settings]) => betIssues(label, settings, modes)),
  ];
  if (Object.keys(named).length === 0) issues.push('betLimits names no currency, no scaled and no default');
  if (issues.length > 0)
    return { ok: false, issues: issues.map((issue) => `${found.gameFile ?? found.mathFolder}: ${issue}`) };

  const byCurrency = withScaled(named, (settings) => modes.every((mode) => modeIssues(settings, mode).length === 0));
  const name = gameFile ?? bareName(found, config, math);
  const betSettings = (currency: CurrencyCode) => byCurrency[currency] ?? byCurrency.default;
  return {
    ok: true,
    game: {
      gameID: name.id,
      version: name.version,
      title: name.title,
      modes: new Map(modes.map((mode) => [mode.key, mode])),
      betModes: Object.fromEntries(modes.map((mode) => [mode.name, betModeOf(mode)])),
      jurisdiction: gameFile?.jurisdiction ?? {},
      draws: gameFile?.draws,
      currencies: known.filter((currency) => betSettings(currency) !== undefined),
      betSettings,
      betLimits: byCurrency,
      math,
      frontendFolder: found.frontendFolder,
      thumbnail: found.frontendFolder && gameFile?.thumbnail,
    },
  };
}

/** game.json decides first, then the math tool's config.json, then the defaults. */
function gameModes(math: MathPackage, gameFile: GameFile | undefined, config: MathToolConfig | undefined): GameMode[] {
  const settings = new Map(Object.entries(gameFile?.modes ?? {}).map(([name, mode]) => [modeKey(name), mode]));
  const shelf = new Map(config?.bookShelfConfig.map((mode) => [modeKey(mode.name), mode]));
  return [...math.modes.values()].map((mode) => {
    const own = settings.get(mode.key);
    const tool = shelf.get(mode.key);
    const mathAutoClose = tool?.autoEndRoundDisabled === undefined ? AUTO_CLOSE : !tool.autoEndRoundDisabled;
    return {
      key: mode.key,
      name: gameFile?.upperCaseModes ? mode.key : mode.name,
      costMultiplier: mode.cost,
      autoClose: own?.autoClose ?? mathAutoClose,
      mathAutoClose,
      feature: own?.feature ?? tool?.buyBonus ?? Number(mode.cost) >= FEATURE_COST,
      math: mode,
    };
  });
}

function betModeOf({ name, costMultiplier, feature, math }: GameMode): BetConfig['betModes'][string] {
  return { mode: name, costMultiplier: Number(costMultiplier), feature, table: commitmentOf(math) };
}

function unknownModes(gameFile: GameFile | undefined, math: MathPackage): string[] {
  const names = Object.keys(gameFile?.modes ?? {});
  return names
    .filter((name) => !math.modes.has(modeKey(name)))
    .map((name) => `modes.${name} is not a mode of the math (${[...math.modes.keys()].join(', ')})`);
}

function unknownCurrencies(byCurrency: GameFile['betLimits'], known: readonly CurrencyCode[]): string[] {
  return Object.keys(byCurrency)
    .filter((code) => code !== 'default' && code !== 'scaled' && !known.includes(code))
    .map((code) => `betLimits.${code}: no such currency in ISO 4217, and ROUNDHOUSE_CURRENCIES configures none`);
}

/**
 * Names a bare set of files by its content: a studio publishes again and again, and an open round
 * stays on the books on which it was played.
 */
function bareName(
  found: GameFolder,
  config: MathToolConfig | undefined,
  math: MathPackage,
): { id: string; version: string; title: string } {
  const candidates = [config?.gameID, found.folderName.replace(/[^A-Za-z0-9._-]+/g, '-')];
  const id = candidates.find((name) => name !== undefined && isGameName(name)) ?? 'game';
  return { id, version: math.sha256.slice(0, 8), title: config?.workingName ?? found.folderName };
}

const HASH_CHARACTERS = 8;
const MAX_VERSION_CHARACTERS = 64;

/**
 * Returns the version of game.json with a hash of all that decides how a round is played. A bare
 * set of files keeps the hash of its math, and only the math tool's config.json is added to it.
 */
function contentVersion({ version, math }: GameVersion, { gameFile, config }: Descriptions): string {
  if (gameFile === undefined && config === undefined) return version;
  const content = JSON.stringify([math.sha256, gameFile, config]);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return gameFile === undefined ? hash : `${version.slice(0, MAX_VERSION_CHARACTERS - HASH_CHARACTERS - 1)}-${hash}`;
}

/** The levels in tenths of a unit, so that none needs a fraction. */
const LEVELS_TENTHS = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
const MICROS_PER_TENTH = MICROS_PER_UNIT / 10;

/** The bets of published math without a game.json: worth about 0.1 to 100 dollars. */
const DEFAULT_BET_SETTINGS: BetSettings = {
  minBet: toMicros(MICROS_PER_TENTH),
  maxBet: toMicros(1000 * MICROS_PER_TENTH),
  stepBet: toMicros(MICROS_PER_TENTH),
  defaultBetLevel: 10 * MICROS_PER_TENTH,
  betLevels: LEVELS_TENTHS.map((tenths) => tenths * MICROS_PER_TENTH),
};

type PricedMode = { key: string; costMultiplier: string; math: MathMode };

/** Finds costs that fit no bet. Each is one issue, and not one for each currency. */
function costIssues(modes: readonly PricedMode[]): string[] {
  return modes.flatMap(({ key, costMultiplier }) => {
    const meant = missedDecimal(costMultiplier);
    return meant === undefined
      ? []
      : [`mode ${key} costs ${costMultiplier}, probably ${meant}: write this in index.json`];
  });
}

/**
 * Finds each reason why the debit or the payout of some bet would be inexact or too large. It runs
 * once, when the game is loaded, on the step (every bet is a multiple of it) and on the largest
 * bet, so that no play can meet it.
 */
function betIssues(label: string, settings: BetSettings, modes: Iterable<PricedMode>): string[] {
  const issues = betConfigIssues(settings);
  if (issues.length === 0) for (const mode of modes) issues.push(...modeIssues(settings, mode));
  return issues.map((issue) => `bet limits for ${label}: ${issue}`);
}

function modeIssues({ stepBet, maxBet }: BetSettings, { key, costMultiplier, math }: PricedMode): string[] {
  const issues: string[] = [];
  if (missedDecimal(costMultiplier) !== undefined) return issues;
  if (multiplyMicros(stepBet, costMultiplier) === undefined) {
    issues.push(`in mode ${key} stepBet ${stepBet} × cost ${costMultiplier} is not a whole number of micros`);
  } else if (multiplyMicros(maxBet, costMultiplier) === undefined) {
    issues.push(`in mode ${key} maxBet ${maxBet} × cost ${costMultiplier} is more than money can hold`);
  }
  const inexact = math.distinctPayouts.find((hundredths) => (BigInt(stepBet) * hundredths) % 100n !== 0n);
  if (inexact !== undefined) {
    issues.push(`in mode ${key} stepBet ${stepBet} × payout multiplier ${inexact}/100 is not a whole number of micros`);
  } else if (payoutOf(maxBet, math.distinctPayouts.at(-1) ?? 0n) === undefined) {
    issues.push(`in mode ${key} maxBet ${maxBet} × the largest payout multiplier is more than money can hold`);
  }
  return issues;
}
