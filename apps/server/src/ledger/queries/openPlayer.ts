import type { Database } from '../database.ts';

/** The player of this operator, made when new. externalId is the operator's name for the player. */
export async function openPlayer(db: Database, operatorId: number, externalId: string): Promise<bigint> {
  await db.$executeRaw`
    INSERT INTO players (operator_id, external_id) VALUES (${operatorId}, ${externalId}) ON CONFLICT DO NOTHING`;
  const player = await db.player.findUniqueOrThrow({
    where: { operatorId_externalId: { operatorId, externalId } },
    select: { id: true },
  });
  return player.id;
}
