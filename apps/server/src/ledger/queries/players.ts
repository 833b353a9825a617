import type { CurrencyCode, Micros } from '@roundhouse/contract';
import type { Database } from '../database.ts';

export type PlayerKey = { operatorCode: string; externalID: string };

/** undefined leaves a limit as it is, null takes it away. Both count one day of UTC. */
export type DailyLimits = { wagerMicros?: Micros | null; lossMicros?: Micros | null };

async function findPlayerID(db: Database, { operatorCode, externalID }: PlayerKey): Promise<bigint | undefined> {
  const player = await db.player.findFirst({
    where: { externalId: externalID, operator: { code: operatorCode } },
    select: { id: true },
  });
  return player?.id;
}

/** Answers false when there is no such player with an account in this currency. */
export async function setDailyLimits(
  db: Database,
  player: PlayerKey & { currency: CurrencyCode },
  limits: DailyLimits,
): Promise<boolean> {
  const playerId = await findPlayerID(db, player);
  if (playerId === undefined) return false;
  const { count } = await db.account.updateMany({
    where: { playerId, currency: player.currency },
    data: {
      ...(limits.wagerMicros !== undefined && { dailyWagerLimitMicros: limits.wagerMicros }),
      ...(limits.lossMicros !== undefined && { dailyLossLimitMicros: limits.lossMicros }),
    },
  });
  return count > 0;
}

/** null: the login does not expire. Answers false when there is no such player. */
export async function setLoginExpiry(db: Database, player: PlayerKey, loginExpiresAt: Date | null): Promise<boolean> {
  const id = await findPlayerID(db, player);
  if (id === undefined) return false;
  await db.player.update({ where: { id }, data: { loginExpiresAt } });
  return true;
}

/** Ends every session of the player for good. Answers how many there were, undefined when there is no such player. */
export async function revokeSessions(db: Database, player: PlayerKey): Promise<number | undefined> {
  const playerId = await findPlayerID(db, player);
  if (playerId === undefined) return undefined;
  const { count } = await db.session.updateMany({
    where: { playerId, state: { not: 'revoked' } },
    data: { state: 'revoked' },
  });
  return count;
}
