import type { PrismaClient } from '../../dist/ledger/generated/client.js';
import { houseAccountOf, liveSession, TRANSACTION, todaysSums } from './session.ts';

export async function endRound(db: PrismaClient, { sessionID }: { sessionID: string }) {
  return db.$transaction(async (tx) => {
    const now = new Date();
    const session = await liveSession(tx, sessionID, now);
    if (session === undefined) return { error: 'ERR_IS' };
    const { playerId, accountId, account, gameVersion } = session;
    const round = await tx.round.findFirst({ where: { playerId, gameId: gameVersion.gameId, closedAt: null } });
    if (round === null) return { error: 'ERR_VAL' };

    await tx.round.update({ where: { id: round.id }, data: { closedAt: now }, select: { id: true } });
    await tx.transfer.create({
      data: {
        kind: 'payout',
        fromAccountId: await houseAccountOf(tx, account),
        toAccountId: accountId,
        amountMicros: round.payoutMicros,
        roundId: round.id,
        createdAt: now,
      },
      select: { id: true },
    });
    const { balanceMicros } = await tx.account.update({
      where: { id: accountId },
      data: {
        balanceMicros: { increment: round.payoutMicros },
        ...todaysSums(account, now, { wagered: 0n, won: round.payoutMicros }),
      },
      select: { balanceMicros: true },
    });
    await tx.session.update({ where: { id: session.id }, data: { lastActiveAt: now }, select: { id: true } });
    return { balance: { amount: Number(balanceMicros), currency: account.currency } };
  }, TRANSACTION);
}
