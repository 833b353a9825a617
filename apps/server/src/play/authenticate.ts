import type { Micros } from '@roundhouse/contract';
import type { Catalogue } from '../games/catalogue.ts';
import type { BetSettings, GameVersion } from '../games/game.ts';
import type { Database } from '../ledger/database.ts';
import type { Outcome } from '../ledger/refusal.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { readRound } from './readRound.ts';
import { notServed } from './refusals.ts';
import type { ShownRound } from './shownRound.ts';

export type AuthenticateParts = { db: Database; catalogue: Catalogue };

/** round: the active one, else the last completed one, else undefined. */
export type Authenticated = { balance: Micros; game: GameVersion; bets: BetSettings; round: ShownRound | undefined };

/** Brings the session to life and answers where the player stands. It creates nothing and resets nothing. */
export async function authenticate(parts: AuthenticateParts, session: BearerSession): Promise<Outcome<Authenticated>> {
  const game = parts.catalogue.find(session.gameID, session.gameVersion);
  const bets = game?.betSettings(session.currency);
  if (game === undefined || bets === undefined) return notServed(session);

  const authenticated = await session.wallet.authenticate(session);
  if (!authenticated.ok) return authenticated;
  const { balance, latestRoundID } = authenticated;
  return {
    ok: true,
    balance,
    game,
    bets,
    round: latestRoundID === null ? undefined : await readRound(parts, latestRoundID),
  };
}
