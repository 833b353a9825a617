import type { CurrencyCode, Jurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';

/**
 * What never changes about a session, so that a node may remember it. What can change (state, time-outs, limits, switches,
 * countries, balance) is not here: the SQL functions judge that at each call.
 */
export type SessionFacts = {
  sessionRowID: bigint;
  playerID: bigint;
  operatorID: number;
  /** The operator's name for the player. */
  externalID: string;
  /** The operator keeps the player's money. */
  isSeamless: boolean;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  jurisdiction: Jurisdiction;
};

export async function findSession(
  db: Database,
  tokenSha256: Uint8Array<ArrayBuffer>,
): Promise<SessionFacts | undefined> {
  const session = await db.session.findUnique({
    where: { tokenSha256 },
    select: {
      id: true,
      playerId: true,
      jurisdiction: true,
      account: { select: { currency: true, operatorId: true, balanceMicros: true } },
      player: { select: { externalId: true } },
      gameVersion: { select: { version: true, game: { select: { code: true } } } },
    },
  });
  if (session === null) return undefined;
  return {
    sessionRowID: session.id,
    playerID: session.playerId,
    operatorID: session.account.operatorId,
    externalID: session.player.externalId,
    isSeamless: session.account.balanceMicros === null,
    currency: session.account.currency as CurrencyCode,
    gameID: session.gameVersion.game.code,
    gameVersion: session.gameVersion.version,
    jurisdiction: session.jurisdiction as Jurisdiction,
  };
}
