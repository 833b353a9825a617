import { type BetLimitIssue, type BetLimits, checkBet, type Micros, multiplyMicros } from '@roundhouse/contract';
import { type GameMode, type GameVersion, modeKey } from '../games/catalogue.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';

export type BetRequest = { amount: Micros; mode: string };

/** A refused bet names its mode where the game has it. */
export type PricedBet =
  | { ok: true; mode: GameMode; debit: Micros }
  | { ok: false; mode: GameMode | undefined; detail: string };

/**
 * The bet rules, for each bet that the game allows: mode, jurisdiction, limits and step of the
 * session's currency.
 */
export function priceBet(game: GameVersion, session: SessionFacts, request: BetRequest): PricedBet {
  const mode = game.modes.get(modeKey(request.mode));
  if (mode === undefined)
    return { ok: false, mode, detail: `the game has no such mode; it has ${[...game.modes.keys()].join(', ')}` };
  if (mode.feature && session.jurisdiction.disabledBuyFeature) {
    return { ok: false, mode, detail: `mode ${mode.key} is a bought feature, which the jurisdiction does not allow` };
  }
  const settings = game.betSettings(session.currency);
  if (settings === undefined) return { ok: false, mode, detail: `the game is not offered in ${session.currency}` };
  const issue = checkBet(request.amount, settings);
  if (issue !== undefined) return { ok: false, mode, detail: BET_ISSUE_DETAILS[issue](settings) };

  const debit = multiplyMicros(request.amount, mode.costMultiplier);
  // Excluded for every bet within the rules when the game was loaded.
  if (debit === undefined) throw new Error(`${request.amount} × ${mode.costMultiplier} is not exact`);
  return { ok: true, mode, debit };
}

const BET_ISSUE_DETAILS: Readonly<Record<BetLimitIssue, (limits: BetLimits) => string>> = {
  'not-an-amount': () => 'the bet is not an amount',
  'below-minimum': ({ minBet }) => `the bet is below the minimum of ${minBet}`,
  'above-maximum': ({ maxBet }) => `the bet is above the maximum of ${maxBet}`,
  'off-step': ({ stepBet }) => `the bet is not divisible by ${stepBet}`,
};
