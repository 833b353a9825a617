import { type BetConfig, betsWithin, type Grant, type Micros } from '@roundhouse/contract';
import type { Outcome } from '../../base/refusal.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';
import { type BetSettings, type Catalogue, type GameVersion, notServed } from '../games/catalogue.ts';
import { betsOfUnit } from '../games/fitsUnit.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { type ShownRound, showRound } from './round.ts';

/**
 * round is the active one, else the last completed one, else undefined. maxStake is the highest
 * cost of one play; undefined for no limit.
 */
export type Authenticated = {
  balance: Micros;
  game: GameVersion;
  bets: BetSettings;
  round: ShownRound | undefined;
  maxStake: Micros | undefined;
  /** The open grants of the player in this game. */
  grants: Grant[];
};

/**
 * Starts the session and returns the state of its player. It creates no player and resets nothing.
 */
export async function authenticate(catalogue: Catalogue, session: BearerSession): Promise<Outcome<Authenticated>> {
  const game = catalogue.find(session.gameID, session.gameVersion);
  const bets = game?.betSettings(session.currency);
  if (game === undefined || bets === undefined) return notServed(session);

  const authenticated = await session.wallet.authenticate(session);
  if (!authenticated.ok) return authenticated;
  const { balance, round, maxStake, grants } = authenticated;
  const shown = round && showRound(catalogue, { ...round, gameID: session.gameID });
  return { ok: true, balance, game, bets, round: shown, maxStake, grants };
}

type ConfigFacts = Pick<SessionFacts, 'currency' | 'jurisdiction' | 'walletUnit'> &
  Pick<Authenticated, 'game' | 'bets' | 'maxStake'>;

/** Returns how the game may be played, on the wire. */
export function configOf(catalogue: Catalogue, facts: ConfigFacts): BetConfig {
  const { game, jurisdiction, maxStake } = facts;
  const currency = catalogue.currencies.find(({ code }) => code === facts.currency);
  return {
    gameID: game.gameID,
    ...offeredBets(facts),
    betModes: game.betModes,
    ...(maxStake !== undefined && { maxStake }),
    jurisdiction,
    ...(currency && { currency }),
  };
}

/**
 * Leaves out the bets that the wallet cannot move, and those whose cost the jurisdiction forbids in
 * every mode.
 */
function offeredBets({ game, bets: all, jurisdiction, maxStake, walletUnit }: ConfigFacts): BetSettings {
  const bets = walletUnit === undefined ? all : betsOfUnit(game, all, walletUnit);
  if (maxStake === undefined) return bets;
  const modes = [...game.modes.values()].filter((mode) => !(mode.feature && jurisdiction.disabledBuyFeature));
  return betsWithin(bets, { maxStake, costs: modes.map(({ costMultiplier }) => costMultiplier) });
}
