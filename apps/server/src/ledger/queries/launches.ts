import type { CurrencyCode, PartialJurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';

/** A launch that an operator asked for: what is known of a session before it authenticates for the first time. */
export type LaunchRecord = {
  operatorID: number;
  gameID: string;
  gameVersion: string;
  currency: CurrencyCode;
  /** The operator's name for the player, when the launch named one. */
  externalID: string | undefined;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  sealedToken: Uint8Array;
  revoked: boolean;
  expiresAt: Date;
};

export type NewLaunch = Omit<LaunchRecord, 'revoked' | 'sealedToken'> & {
  tokenSha256: Uint8Array<ArrayBuffer>;
  sealedToken: Uint8Array<ArrayBuffer>;
};

/** Keeps a launch. False when there is a launch or a session of this sessionID already. */
export async function addLaunch(db: Database, launch: NewLaunch): Promise<boolean> {
  const {
    tokenSha256,
    operatorID,
    gameID,
    gameVersion,
    currency,
    externalID,
    country,
    jurisdiction,
    sealedToken,
    expiresAt,
  } = launch;
  const version = await db.gameVersion.findFirstOrThrow({
    where: { version: gameVersion, game: { code: gameID } },
    select: { id: true },
  });
  const known = await db.session.findUnique({ where: { tokenSha256 }, select: { id: true } });
  if (known !== null) return false;
  const { count } = await db.launch.createMany({
    data: {
      tokenSha256,
      operatorId: operatorID,
      gameVersionId: version.id,
      currency,
      externalId: externalID ?? null,
      country: country ?? null,
      jurisdiction,
      sealedToken,
      expiresAt,
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/** Ends a session of this operator for good, whether it has authenticated or not. False when there is none. */
export async function revokeSession(
  db: Database,
  { operatorID, tokenSha256 }: { operatorID: number; tokenSha256: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const launches = await db.launch.updateMany({
    where: { tokenSha256, operatorId: operatorID },
    data: { revoked: true },
  });
  const sessions = await db.session.updateMany({
    where: { tokenSha256, player: { operatorId: operatorID } },
    data: { state: 'revoked' },
  });
  return launches.count + sessions.count > 0;
}
