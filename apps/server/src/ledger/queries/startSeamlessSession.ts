import {
  type CurrencyCode,
  mergeJurisdictions,
  type PartialJurisdiction,
  type PlayerLimits,
} from '@roundhouse/contract';
import type { Database } from '../database.ts';
import { openPlayer } from './openPlayer.ts';
import { updatePlayer } from './updatePlayer.ts';

/** A session that its operator has verified. */
export type VouchedSession = {
  tokenSha256: Uint8Array<ArrayBuffer>;
  operatorID: number;
  /** The operator's name for the player. */
  externalID: string;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  /** Of the launch: it holds for this session. */
  launchCountry: string | undefined;
  /** Of the player, as the operator says now. */
  country: string | undefined;
  limits: PlayerLimits | undefined;
  /** On top of the defaults of the game and the operator, the later ones first to count. */
  jurisdictions: readonly PartialJurisdiction[];
};

/** unknown_game: the version is not published. currency_not_offered: the game or the operator does not have it. */
export type VouchedSessionFault = 'unknown_game' | 'currency_not_offered';

/** Makes the session, and the player and the account that it needs when they are new. The account keeps no balance: the operator does. */
export async function startSeamlessSession(
  db: Database,
  session: VouchedSession,
): Promise<{ ok: true } | { ok: false; fault: VouchedSessionFault }> {
  const operator = await db.operator.findUniqueOrThrow({ where: { id: session.operatorID } });
  const version = await db.gameVersion.findFirst({
    where: { version: session.gameVersion, game: { code: session.gameID } },
  });
  if (version === null) return { ok: false, fault: 'unknown_game' };
  const isOffered = [version.currencies, operator.currencies].every(
    (currencies) => currencies.length === 0 || currencies.includes(session.currency),
  );
  if (!isOffered) return { ok: false, fault: 'currency_not_offered' };

  const playerID = await openPlayer(db, operator.id, session.externalID);
  const accountId = await openAccount(db, { operatorId: operator.id, playerID, currency: session.currency });
  await updatePlayer(db, { playerID, currency: session.currency }, session);
  // Two first calls of a session at once: the second one finds it made.
  await db.session.createMany({
    data: {
      tokenSha256: session.tokenSha256,
      playerId: playerID,
      accountId,
      gameVersionId: version.id,
      country: session.launchCountry?.toUpperCase() ?? null,
      jurisdiction: mergeJurisdictions(
        version.jurisdiction as PartialJurisdiction,
        operator.jurisdiction as PartialJurisdiction,
        ...session.jurisdictions,
      ),
      expiresAt: new Date(Date.now() + operator.sessionLifetimeMs),
    },
    skipDuplicates: true,
  });
  await endIfRevoked(db, session.tokenSha256);
  return { ok: true };
}

/** The operator may have ended the launch while its wallet was asked. Ending looks at the launch first and at the session then, so one of us sees it. */
async function endIfRevoked(db: Database, tokenSha256: VouchedSession['tokenSha256']): Promise<void> {
  const launch = await db.launch.findUnique({ where: { tokenSha256 }, select: { revoked: true } });
  if (launch?.revoked) await db.session.update({ where: { tokenSha256 }, data: { state: 'revoked' } });
}

type NewAccount = { operatorId: number; playerID: bigint; currency: CurrencyCode };

async function openAccount(db: Database, { operatorId, playerID, currency }: NewAccount): Promise<bigint> {
  await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, player_id, currency)
    VALUES (${operatorId}, 'player', ${playerID}, ${currency}) ON CONFLICT DO NOTHING`;
  const account = await db.account.findUniqueOrThrow({
    where: { playerId_currency: { playerId: playerID, currency } },
    select: { id: true },
  });
  return account.id;
}
