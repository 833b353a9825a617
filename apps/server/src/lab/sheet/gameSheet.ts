import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CurrencyCode, isLanguage, LANGUAGES } from '@roundhouse/contract';
import {
  type ModeReport,
  type VerifyWarning,
  type VolatilityClass,
  verifyReport,
  volatilityOf,
} from '@roundhouse/math';
import type { BetSettings, GameVersion } from '../../rounds/games/catalogue.ts';
import type { GameFile } from '../../rounds/games/gameFile.ts';
import type { GameFolder } from '../../rounds/games/locateGame.ts';
import { checkPresets, type PresetCheck } from './jurisdictionChecks.ts';
import { readSheetFiles, type SheetFiles } from './sheetFiles.ts';

export type SheetMode = ModeReport & { feature: boolean; volatility: VolatilityClass };

/**
 * The currencies that have these bets. `others` are neither in game.json nor scaled by what
 * they are worth.
 */
export type SheetBets = { currencies: CurrencyCode[]; others: CurrencyCode[]; settings: BetSettings };

/** An operator wants to know this of a game before it offers it. */
export type GameSheet = Pick<GameVersion, 'gameID' | 'version' | 'title'> & {
  /** A data URI. */
  thumbnail: string | undefined;
  sha256: string;
  modes: SheetMode[];
  warnings: VerifyWarning[];
  bets: SheetBets[];
  /** Names are English; undefined when the game does not declare its languages. */
  languages: string[] | undefined;
  files: SheetFiles;
  jurisdictions: PresetCheck[];
  /** The sheet was made then, by this version of Roundhouse. */
  made: { at: Date; by: string };
};

type SheetSource = {
  found: GameFolder;
  game: GameVersion;
  /** It is undefined for a bare set of published files. */
  gameFile: GameFile | undefined;
  made: GameSheet['made'];
};

export async function gameSheet({ found, game, gameFile, made }: SheetSource): Promise<GameSheet> {
  const { gameID, version, title, math } = game;
  const { jurisdiction, betSettings } = game;
  const { modes, warnings } = verifyReport(math);
  const checked = [...game.modes.values()].map((mode) => ({ ...mode, rtp: mode.math.statistics().rtp }));
  return {
    gameID,
    version,
    title,
    warnings,
    made,
    sha256: math.sha256,
    thumbnail: await thumbnailOf(game),
    modes: modes.map((mode) => {
      const feature = checked.some((each) => each.feature && each.math.name === mode.name);
      return { ...mode, feature, volatility: volatilityOf(mode.standardDeviation) };
    }),
    bets: betsOf(game),
    languages: gameFile?.languages?.map((code) => (isLanguage(code) ? LANGUAGES[code].name : code)),
    files: await readSheetFiles(found, math),
    jurisdictions: checkPresets({ jurisdiction, betSettings, modes: checked }),
  };
}

/** game.json allows a thumbnail with these endings. */
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
};

async function thumbnailOf({ frontendFolder, thumbnail }: GameVersion): Promise<string | undefined> {
  if (frontendFolder === undefined || thumbnail === undefined) return undefined;
  const content = await readFile(path.join(frontendFolder, thumbnail));
  return `data:${PICTURE_TYPES[path.extname(thumbnail)]};base64,${content.toString('base64')}`;
}

/** Currencies with the same bets share a row, in the order of game.json and of the scales. */
function betsOf({ currencies, betSettings, betLimits }: GameVersion): SheetBets[] {
  const named = Object.keys(betLimits);
  const rows = new Map<string, SheetBets>();
  const places = (currency: CurrencyCode) => (named.includes(currency) ? named.indexOf(currency) : named.length);
  for (const currency of [...currencies].sort((a, b) => places(a) - places(b))) {
    const settings = betSettings(currency) as BetSettings;
    const key = JSON.stringify(settings);
    const row = rows.get(key) ?? { currencies: [], others: [], settings };
    (named.includes(currency) ? row.currencies : row.others).push(currency);
    rows.set(key, row);
  }
  return [...rows.values()];
}
