import type { BetConfig, Micros } from '@roundhouse/contract';
import { type BetSettings, type Catalogue, type GameVersion, notServed } from '../games/catalogue.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { Outcome } from '../ledger/refusal.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { type ShownRound, showRound } from './round.ts';

/** round: the active one, else the last completed one, else undefined. */
export type Authenticated = { balance: Micros; game: GameVersion; bets: BetSettings; round: ShownRound | undefined };

/**
 * Starts the session and returns the state of its player. It creates nothing and resets nothing.
 */
export async function authenticate(catalogue: Catalogue, session: BearerSession): Promise<Outcome<Authenticated>> {
  const game = catalogue.find(session.gameID, session.gameVersion);
  const bets = game?.betSettings(session.currency);
  if (game === undefined || bets === undefined) return notServed(session);

  const authenticated = await session.wallet.authenticate(session);
  if (!authenticated.ok) return authenticated;
  const { balance, round } = authenticated;
  const shown = round && showRound(catalogue, { ...round, gameID: session.gameID });
  return { ok: true, balance, game, bets, round: shown };
}

type ConfigFacts = Pick<SessionFacts, 'currency' | 'jurisdiction'> & { game: GameVersion; bets: BetSettings };

/** How the game may be played, on the wire. */
export function configOf(catalogue: Catalogue, { game, bets, currency: code, jurisdiction }: ConfigFacts): BetConfig {
  const currency = catalogue.currencies.find((each) => each.code === code);
  return { gameID: game.gameID, ...bets, betModes: betModes(game), jurisdiction, ...(currency && { currency }) };
}

function betModes({ modes }: GameVersion): BetConfig['betModes'] {
  return Object.fromEntries(
    [...modes.values()].map(({ key, costMultiplier, feature }) => [
      key,
      { mode: key, costMultiplier: Number(costMultiplier), feature },
    ]),
  );
}
