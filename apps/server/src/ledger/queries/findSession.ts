import type { CurrencyCode, Jurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';

/**
 * What never changes about a session, so that a node may remember it. What can change (state, time-outs, limits, switches,
 * countries, balance) is not here: the SQL functions judge that at each call.
 */
export type SessionFacts = {
  sessionRowID: bigint;
  playerID: bigint;
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
      account: { select: { currency: true } },
      gameVersion: { select: { version: true, game: { select: { code: true } } } },
    },
  });
  if (session === null) return undefined;
  return {
    sessionRowID: session.id,
    playerID: session.playerId,
    currency: session.account.currency as CurrencyCode,
    gameID: session.gameVersion.game.code,
    gameVersion: session.gameVersion.version,
    jurisdiction: session.jurisdiction as Jurisdiction,
  };
}
