import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/database/database.ts';
import type { Grant } from '../../src/store/generated/client.ts';

type Given = Partial<
  Pick<Grant, 'given' | 'automatic' | 'paidAtEnd' | 'amountMicros' | 'mode' | 'startsAt' | 'expiresAt'>
>;

const HOUR_MS = 3_600_000;

/** Gives an account free rounds of a game, BASE at one unit, and returns their grantID. */
export async function giveGrant(
  db: Database,
  { accountID, gameID, ...given }: Given & { accountID: bigint; gameID: number },
): Promise<string> {
  const { operatorId } = await db.account.findUniqueOrThrow({ where: { id: accountID } });
  const nowMs = Date.now();
  const grant = await db.grant.create({
    data: {
      ...{ operatorId, accountId: accountID, externalId: randomUUID(), gameIds: [gameID] },
      ...{ mode: 'BASE', amountMicros: 1_000_000n, automatic: false, paidAtEnd: false, given: 3 },
      ...{ startsAt: new Date(nowMs), createdAt: new Date(nowMs), expiresAt: new Date(nowMs + HOUR_MS) },
      ...given,
      left: given.given ?? 3,
    },
  });
  if (grant.automatic) await db.account.update({ where: { id: accountID }, data: { hasAutomaticGrant: true } });
  return grant.externalId;
}

/** Makes a grant expire now. */
export async function makeDue(db: Database, grantID: string): Promise<void> {
  await db.$executeRaw`UPDATE grants SET expires_at = clock_timestamp() WHERE external_id = ${grantID}`;
}
