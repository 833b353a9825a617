import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type Response } from 'express';
import { PrismaClient } from '../dist/ledger/generated/client.js';
import { sha256Of } from '../dist/sessions/sessionToken.js';
import { BOOKS_PER_MODE, bookEvents, PAYOUT_MULTIPLIER } from './benchGame.ts';
import { serveParent } from './child.ts';

// What one would write in a day: Express and an interactive Prisma transaction, with the same
// checks, writes and responses on the same tables. It is generous to itself: no log, no validation,
// no maintenance switches, limits or locations.

/** The best number: 10 and 32 measured the same, 64 a third less. */
const DATABASE_CONNECTIONS = 10;
// Prisma waits 2 s for a connection by default, and slow responses are measured here.
const TRANSACTION = { maxWait: 30_000, timeout: 30_000 };
const SESSION_TIMEOUT_MS = 1_800_000;

type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
type PlayBody = { sessionID: string; amount: number; mode: 'LOSE' | 'WIN' };

serveParent<{ databaseUrl: string }, { url: string }>(async ({ databaseUrl }) => {
  const adapter = new PrismaPg({ connectionString: databaseUrl, max: DATABASE_CONNECTIONS });
  const db = new PrismaClient({ adapter });
  const app = express().use(express.json());
  const respond = (res: Response, body: object) => res.status('error' in body ? 400 : 200).json(body);
  app.post('/wallet/play', async (req, res) => respond(res, await play(db, req.body)));
  app.post('/wallet/end-round', async (req, res) => respond(res, await endRound(db, req.body)));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

async function play(db: PrismaClient, { sessionID, amount, mode }: PlayBody) {
  const bookId = 1 + Math.floor(Math.random() * BOOKS_PER_MODE);
  const payoutMultiplier = PAYOUT_MULTIPLIER[mode];
  const debit = BigInt(amount);
  const payout = (debit * BigInt(payoutMultiplier)) / 100n;
  const active = payout > 0n;
  return db.$transaction(async (tx) => {
    const now = new Date();
    const session = await liveSession(tx, sessionID, now);
    if (session === undefined) return { error: 'ERR_IS' };
    const { playerId, accountId, account, gameVersion } = session;
    const inGame = { playerId, gameId: gameVersion.gameId };
    const open = await tx.round.findFirst({ where: { ...inGame, closedAt: null }, select: { id: true } });
    if (open !== null) return { error: 'ERR_VAL' };
    if ((account.balanceMicros ?? 0n) < debit) return { error: 'ERR_IPB' };
    const round = await tx.round.create({
      data: {
        ...inGame,
        gameVersionId: gameVersion.id,
        sessionId: session.id,
        accountId,
        mode,
        costMultiplier: 1,
        amountMicros: debit,
        debitMicros: debit,
        bookId,
        payoutMultiplier,
        payoutMicros: payout,
        balanceBeforeMicros: account.balanceMicros,
        openedAt: now,
        closedAt: active ? null : now,
      },
      select: { id: true },
    });
    const balance = await transfer(tx, session, { kind: 'bet', roundId: round.id, amountMicros: debit, now });
    const id = { betID: Number(round.id), mode, event: null, state: events[mode][bookId - 1] };
    const money = { amount, payout: Number(payout), payoutMultiplier: payoutMultiplier / 100, costMultiplier: 1 };
    return { balance, round: { ...id, ...money, active } };
  }, TRANSACTION);
}

async function endRound(db: PrismaClient, { sessionID }: { sessionID: string }) {
  return db.$transaction(async (tx) => {
    const now = new Date();
    const session = await liveSession(tx, sessionID, now);
    if (session === undefined) return { error: 'ERR_IS' };
    const { playerId, gameVersion } = session;
    const round = await tx.round.findFirst({ where: { playerId, gameId: gameVersion.gameId, closedAt: null } });
    if (round === null) return { error: 'ERR_VAL' };
    const { id: roundId, payoutMicros: amountMicros } = round;
    await tx.round.update({ where: { id: roundId }, data: { closedAt: now }, select: { id: true } });
    return { balance: await transfer(tx, session, { kind: 'payout', roundId, amountMicros, now }) };
  }, TRANSACTION);
}

const eventsOfMode = (mode: PlayBody['mode']) =>
  Array.from({ length: BOOKS_PER_MODE }, (_, index) =>
    bookEvents(index + 1, { spins: 2, payoutMultiplier: PAYOUT_MULTIPLIER[mode] }),
  );
const events = { LOSE: eventsOfMode('LOSE'), WIN: eventsOfMode('WIN') };

async function liveSession(tx: Transaction, sessionID: string, now: Date) {
  const session = await tx.session.findUnique({
    where: { tokenSha256: sha256Of(sessionID) },
    include: { account: true, gameVersion: true },
  });
  if (session === null || session.state !== 'authenticated' || session.expiresAt <= now) return undefined;
  return session.lastActiveAt.getTime() + SESSION_TIMEOUT_MS <= now.getTime() ? undefined : session;
}

type LiveSession = NonNullable<Awaited<ReturnType<typeof liveSession>>>;
type Money = { kind: 'bet' | 'payout'; roundId: bigint; amountMicros: bigint; now: Date };

/** Moves the money, counts it in today's sums, and extends the session. Returns the balance. */
async function transfer(tx: Transaction, { id, accountId, account }: LiveSession, money: Money) {
  const { kind, roundId, amountMicros, now } = money;
  const houseId = await houseAccountOf(tx, account);
  const [fromAccountId, toAccountId] = kind === 'bet' ? [accountId, houseId] : [houseId, accountId];
  await tx.transfer.create({
    data: { kind, fromAccountId, toAccountId, amountMicros, roundId, createdAt: now },
    select: { id: true },
  });
  const [wagered, won] = kind === 'bet' ? [amountMicros, 0n] : [0n, amountMicros];
  const today = new Date(now.toISOString().slice(0, 10));
  // The sums of a day begin anew with its first transfer.
  const sums =
    account.countedOn?.getTime() === today.getTime()
      ? { wageredTodayMicros: { increment: wagered }, wonTodayMicros: { increment: won } }
      : { countedOn: today, wageredTodayMicros: wagered, wonTodayMicros: won };
  const { balanceMicros } = await tx.account.update({
    where: { id: accountId },
    data: { balanceMicros: { increment: won - wagered }, ...sums },
    select: { balanceMicros: true },
  });
  await tx.session.update({ where: { id }, data: { lastActiveAt: now }, select: { id: true } });
  return { amount: Number(balanceMicros), currency: account.currency };
}

const houseAccounts = new Map<string, bigint>();

async function houseAccountOf(tx: Transaction, { operatorId, currency }: LiveSession['account']): Promise<bigint> {
  const key = `${operatorId} ${currency}`;
  const known = houseAccounts.get(key);
  if (known !== undefined) return known;
  const { id } = await tx.account.findFirstOrThrow({ where: { operatorId, currency, kind: 'house' } });
  houseAccounts.set(key, id);
  return id;
}
