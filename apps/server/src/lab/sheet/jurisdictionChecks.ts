import {
  type CurrencyCode,
  mergeJurisdictionRules,
  mergeJurisdictions,
  multiplyMicros,
  type PartialJurisdiction,
} from '@roundhouse/contract';
import { MS_PER_MINUTE } from '../../base/durations.ts';
import { amountText } from '../../base/terminal/amountText.ts';
import {
  describePreset,
  PRESET_NAMES,
  type PresetName,
  presetJurisdiction,
} from '../../operators/jurisdictions/presets.ts';
import type { GameMode, GameVersion } from '../../rounds/games/catalogue.ts';
import { findLowReturn } from '../../rounds/sessions/minimumReturn.ts';

type Field = keyof PartialJurisdiction;

/**
 * failed: why the game does not satisfy the preset. remarks: what a player cannot do there. server:
 * what the server enforces for any game. frontend: what the front end has to obey, which no file
 * shows.
 */
export type PresetCheck = {
  name: PresetName;
  place: string;
  failed: string[];
  met: string[];
  remarks: string[];
  server: string[];
  frontend: string[];
};

type CheckedMode = Pick<GameMode, 'key' | 'costMultiplier' | 'feature'> & { rtp: number };
type CheckedGame = Pick<GameVersion, 'jurisdiction' | 'betSettings'> & { modes: readonly CheckedMode[] };

/** Checks each preset's demands of the game, with its own settings below those of the preset. */
export function checkPresets(game: CheckedGame): PresetCheck[] {
  return PRESET_NAMES.map((name) => checkPreset(game, name));
}

function checkPreset(game: CheckedGame, name: PresetName): PresetCheck {
  const preset = presetJurisdiction(name);
  const check: PresetCheck = {
    name,
    place: describePreset(name).place,
    failed: [],
    met: [],
    remarks: [],
    server: [],
    frontend: [],
  };
  for (const field of Object.keys(preset) as Field[]) {
    // Without autoplay, its limits say nothing.
    if (preset.disabledAutoplay && OF_AUTOPLAY.has(field)) continue;
    const rule = RULES[field];
    if (typeof rule === 'function') rule(game, preset, check);
    else check[rule.by].push(rule.text(preset[field]));
  }
  return check;
}

const OF_AUTOPLAY: ReadonlySet<Field> = new Set(['requireAutoplayLossLimit', 'maximumAutoplayRounds']);

type Judge = (game: CheckedGame, preset: PartialJurisdiction, check: PresetCheck) => void;
type Statement = { by: 'server' | 'frontend'; text: (value: unknown) => string };

const by =
  (who: Statement['by']) =>
  (text: string | Statement['text']): Statement => ({ by: who, text: typeof text === 'string' ? () => text : text });
const server = by('server');
const frontend = by('frontend');

/** A new field does not compile until it is here. */
const RULES: { readonly [Name in Field]-?: Judge | Statement } = {
  minimumRTP: judgeReturns,
  disabledBuyFeature: judgeFeatures,
  maxStake: judgeStakes,
  minimumRoundDuration: server((value) => `${seconds(value)} between two rounds`),
  idleTimeout: server((value) => `the session ends after ${minutes(value)} without play`),
  singleInstance: server('one game at a time'),
  completeRoundsAfterHours: server((value) => `open rounds are completed after ${value} hours`),
  socialCasino: frontend('social wording'),
  disabledFullscreen: frontend('no full screen'),
  disabledTurbo: frontend('no turbo'),
  disabledSuperTurbo: frontend('no super turbo'),
  disabledAutoplay: frontend('no autoplay'),
  disabledSlamstop: frontend('no early stop of the reels'),
  disabledSpacebar: frontend('no space bar'),
  displayNetPosition: frontend('net position shown'),
  displayRTP: frontend('RTP shown'),
  displaySessionTimer: frontend('session time shown'),
  realityCheckInterval: frontend((value) => `reality check after ${minutes(value)}`),
  requireAutoplayLossLimit: frontend('autoplay with a loss limit'),
  disabledLossCelebration: frontend('no celebration of losses'),
  requireStartRelease: frontend('a press for each round'),
  maximumAutoplayRounds: frontend((value) => `autoplay of at most ${value} rounds`),
};

function judgeReturns(game: CheckedGame, preset: PartialJurisdiction, { failed, met }: PresetCheck): void {
  const { disabledBuyFeature } = mergeJurisdictions(game.jurisdiction, preset);
  const minimumRTP = preset.minimumRTP ?? 0;
  const returns = Object.fromEntries(game.modes.map(({ key, feature, rtp }) => [key, { rtp, feature }]));
  const low = findLowReturn(returns, { disabledBuyFeature, minimumRTP });
  if (low === undefined) met.push(`each mode returns ${minimumRTP} % or more`);
  else failed.push(`${low.mode} returns ${(low.rtp * 100).toFixed(2)} %, less than ${minimumRTP} %`);
}

function judgeFeatures({ modes }: CheckedGame, preset: PartialJurisdiction, check: PresetCheck): void {
  if (!preset.disabledBuyFeature) return;
  const bought = modes.filter(({ feature }) => feature).map(({ key }) => key);
  if (bought.length === modes.length) check.failed.push('every mode is a bought feature, and these are forbidden');
  else if (bought.length === 0) check.met.push('no bought feature');
  else check.remarks.push(`${bought.join(', ')}: refused there, as a bought feature`);
}

/** Compares the least cost of a bet in each mode with the most that it may cost. */
function judgeStakes(game: CheckedGame, preset: PartialJurisdiction, check: PresetCheck): void {
  const { disabledBuyFeature } = mergeJurisdictions(game.jurisdiction, preset);
  const playable = game.modes.filter(({ feature }) => !(feature && disabledBuyFeature));
  for (const currency of Object.keys(preset.maxStake ?? {})) {
    const { maxStake = 0 } = mergeJurisdictionRules(currency, game.jurisdiction, preset);
    const most = `${amountText(maxStake, currency)} ${currency}`;
    const dear = playable.filter((mode) => !(leastStake(game, mode, currency) <= maxStake));
    if (game.betSettings(currency) === undefined) check.failed.push(`no bets in ${currency}`);
    else if (dear.length === playable.length) check.failed.push(`no bet costs ${most} or less`);
    else {
      check.server.push(`at most ${most} a round`);
      if (dear.length > 0)
        check.remarks.push(`${dear.map(({ key }) => key).join(', ')}: always costs more than ${most}`);
    }
  }
}

/** Returns micros; NaN when the game has no bets. */
function leastStake({ betSettings }: CheckedGame, { costMultiplier }: CheckedMode, currency: CurrencyCode): number {
  const minBet = betSettings(currency)?.minBet;
  return minBet === undefined ? Number.NaN : (multiplyMicros(minBet, costMultiplier) ?? Number.NaN);
}

function seconds(value: unknown): string {
  return `${Number(value) / 1000} s`;
}

function minutes(value: unknown): string {
  return `${Number(value) / MS_PER_MINUTE} min`;
}
