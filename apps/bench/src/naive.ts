import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { sha256Of } from '../../server/dist/rounds/sessions/sessionToken.js';
import { PrismaClient } from '../../server/dist/store/generated/client.js';
import { BOOKS_PER_MODE, bookEvents } from './benchGame.ts';
import { serveParent } from './child.ts';

// One would write this in a day: Express and an interactive Prisma transaction, with the same
// checks, writes and responses on the same tables, for plays that pay nothing. It has an advantage:
// no log, no validation, no maintenance switches, limits or locations.

/** This number is the best: 10 and 32 measured the same, 64 a third less. */
const DATABASE_CONNECTIONS = 10;
// Prisma waits 2 s for a connection by default, and slow responses are measured here.
const TRANSACTION = { maxWait: 30_000, timeout: 30_000 };
const SESSION_TIMEOUT_MS = 1_800_000;
const EVENTS = Array.from({ length: BOOKS_PER_MODE }, (_, index) =>
  bookEvents(index + 1, { spins: 2, payoutMultiplier: 0 }),
);

type PlayBody = { sessionID: string; amount: number; mode: string };

serveParent<{ databaseUrl: string }, { url: string }>(async ({ databaseUrl }) => {
  const adapter = new PrismaPg({ connectionString: databaseUrl, max: DATABASE_CONNECTIONS });
  const db = new PrismaClient({ adapter });
  const app = express().use(express.json());
  app.post('/wallet/play', async (req, res) => {
    const body = await play(db, req.body);
    res.status('error' in body ? 400 : 200).json(body);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

async function play(db: PrismaClient, { sessionID, amount, mode }: PlayBody) {
  const bookId = 1 + Math.floor(Math.random() * BOOKS_PER_MODE);
  const debit = BigInt(amount);
  return db.$transaction(async (tx) => {
    const now = new Date();
    const session = await tx.session.findUnique({
      where: { tokenSha256: sha256Of(sessionID) },
      include: { account: true, gameVersion: true },
    });
    const isLive =
      session?.state === 'authenticated' &&
      session.expiresAt > now &&
      session.lastActiveAt.getTime() + SESSION_TIMEOUT_MS > now.getTime();
    if (!isLive) return { error: 'ERR_IS' };
    const { id: sessionId, playerId, accountId, account, gameVersion } = session;
    const inGame = { playerId, gameId: gameVersion.gameId };
    const open = await tx.round.findFirst({ where: { ...inGame, endedAt: null }, select: { id: true } });
    if (open !== null) return { error: 'ERR_VAL' };
    if ((account.balanceMicros ?? 0n) < debit) return { error: 'ERR_IPB' };
    const money = { amountMicros: debit, debitMicros: debit, payoutMultiplier: 0, payoutMicros: 0 };
    const round = await tx.round.create({
      data: {
        ...inGame,
        ...money,
        gameVersionId: gameVersion.id,
        sessionId,
        accountId,
        mode,
        costMultiplier: 1,
        bookId,
        balanceBeforeMicros: account.balanceMicros,
        openedAt: now,
        endedAt: now,
      },
      select: { id: true },
    });
    const { operatorId, currency } = account;
    const house = await tx.account.findFirstOrThrow({ where: { operatorId, currency, kind: 'house' } });
    const accounts = { fromAccountId: accountId, toAccountId: house.id };
    await tx.transfer.create({
      data: { ...accounts, kind: 'bet', amountMicros: debit, roundId: round.id, createdAt: now },
      select: { id: true },
    });
    const today = new Date(now.toISOString().slice(0, 10));
    // The sums of a day begin anew with its first transfer.
    const isToday = account.countedOn?.getTime() === today.getTime();
    const sums = isToday
      ? { wageredTodayMicros: { increment: debit } }
      : { countedOn: today, wageredTodayMicros: debit, wonTodayMicros: 0 };
    const { balanceMicros } = await tx.account.update({
      where: { id: accountId },
      data: { balanceMicros: { decrement: debit }, ...sums },
      select: { balanceMicros: true },
    });
    await tx.session.update({ where: { id: sessionId }, data: { lastActiveAt: now }, select: { id: true } });
    const shown = { betID: Number(round.id), mode, event: null, state: EVENTS[bookId - 1], amount };
    return {
      balance: { amount: Number(balanceMicros), currency },
      round: { ...shown, payout: 0, payoutMultiplier: 0, costMultiplier: 1, active: false },
    };
  }, TRANSACTION);
}
