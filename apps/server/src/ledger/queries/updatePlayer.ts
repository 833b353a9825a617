import type { PlayerLimits } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import type { SessionFacts } from './findSession.ts';

/** What an operator says about a player at each session verification. What it leaves out stays as it is. */
export type PlayerNews = { country?: string | undefined; limits?: PlayerLimits | undefined };

export async function updatePlayer(
  db: Database,
  { playerID, currency }: Pick<SessionFacts, 'playerID' | 'currency'>,
  { country, limits }: PlayerNews,
): Promise<void> {
  if (country !== undefined)
    await db.player.update({ where: { id: playerID }, data: { country: country.toUpperCase() } });
  if (limits === undefined) return;
  const { dailyWager, dailyLoss } = limits;
  await db.account.update({
    where: { playerId_currency: { playerId: playerID, currency } },
    data: {
      dailyWagerLimitMicros: dailyWager === undefined ? null : BigInt(dailyWager),
      dailyLossLimitMicros: dailyLoss === undefined ? null : BigInt(dailyLoss),
    },
  });
}
