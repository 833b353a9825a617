import type { Draws, Jurisdiction, JurisdictionRules } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import type { GameVersion, Operator } from '../generated/client.ts';
import { drawKindOf } from './draws.ts';
import type { SessionFacts } from './sessions.ts';

type TokenSha256 = Uint8Array<ArrayBuffer>;

/**
 * Returns what an operator and a version say about a new session; no version: it is not published.
 */
export async function findOffered(
  db: Database,
  { operatorID, gameID, gameVersion }: Pick<SessionFacts, 'operatorID' | 'gameID' | 'gameVersion'>,
): Promise<{ operator: Operator; version: GameVersion | undefined }> {
  const operator = await db.operator.findUniqueOrThrow({ where: { id: operatorID } });
  const version = await db.gameVersion.findFirst({ where: { version: gameVersion, game: { code: gameID } } });
  return { operator, version: version ?? undefined };
}

/** A session plays this version under these rules. */
export type SessionOffer = {
  operator: Operator;
  version: GameVersion;
  jurisdiction: Jurisdiction;
  rules: JurisdictionRules;
};

/** Returns whether there is a session or a launch of this sessionID. */
export async function isSessionTaken(db: Database, tokenSha256: TokenSha256): Promise<boolean> {
  const [session, launch] = await Promise.all([
    db.session.findUnique({ where: { tokenSha256 }, select: { id: true } }),
    db.launch.findUnique({ where: { tokenSha256 }, select: { operatorId: true } }),
  ]);
  return session !== null || launch !== null;
}

type SessionToStore = Pick<SessionFacts, 'walletToken' | 'walletUnit'> & {
  ids: { tokenSha256: TokenSha256; playerId: bigint; accountId: bigint };
  offer: SessionOffer;
  country: string | undefined;
  draws: Draws | undefined;
  maxStake: number | undefined;
};

/** Returns false when the session exists. */
export async function storeSession(
  db: Database,
  { ids, offer, country, draws, maxStake, walletToken, walletUnit }: SessionToStore,
): Promise<boolean> {
  const { operator, version, jurisdiction, rules } = offer;
  const { count } = await db.session.createMany({
    data: {
      ...ids,
      gameVersionId: version.id,
      gameId: version.gameId,
      country: country ?? null,
      jurisdiction,
      draws: drawKindOf(draws) ?? operator.draws ?? version.draws ?? 'certified',
      maxStakeMicros: rules.maxStake ?? null,
      verifiedMaxStakeMicros: maxStake ?? null,
      walletToken: walletToken ?? null,
      walletUnitMicros: walletUnit ?? null,
      idleTimeoutMs: jurisdiction.idleTimeout || null,
      singleInstance: jurisdiction.singleInstance,
      completeRoundsAfterHours: rules.completeRoundsAfterHours || null,
      expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * The operator may revoke the launch while its wallet verifies the session. A revocation updates
 * the launch first and the session then, so either it or this sees the other.
 */
export async function endIfRevoked(db: Database, tokenSha256: TokenSha256): Promise<void> {
  const launch = await db.launch.findUnique({ where: { tokenSha256 }, select: { revoked: true } });
  if (launch?.revoked) await db.session.update({ where: { tokenSha256 }, data: { state: 'revoked' } });
}
