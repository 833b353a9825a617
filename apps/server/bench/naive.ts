import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type Response } from 'express';
import { PrismaClient } from '../dist/ledger/generated/client.js';
import { sha256Of } from '../dist/sessions/sessionToken.js';
import { serveParent } from './child.ts';
import { eventsOf } from './game.ts';
import { PAYOUT_MULTIPLIER } from './workload.ts';

// What one would write in a day: Express and an interactive Prisma transaction, with the same
// checks, writes and responses on the same tables. It is generous to itself: no log, no validation,
// no maintenance switches, limits or locations.

/** The best number: 10 and 32 measured the same, 64 a third less. */
const DATABASE_CONNECTIONS = 10;
/**
 * Prisma's default gives up after 2 s of waiting for a connection; slow responses are measured
 * here.
 */
const TRANSACTION = { maxWait: 30_000, timeout: 30_000 };
const SESSION_TIMEOUT_MS = 1_800_000;
const BOOKS = 1_000;

type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
type Account = { operatorId: number; currency: string; countedOn: Date | null };
type PlayBody = { sessionID: string; amount: number; mode: 'LOSE' | 'WIN' };

let close = async () => {};

serveParent<{ databaseUrl: string }, { url: string }>(
  async ({ databaseUrl }) => {
    const adapter = new PrismaPg({ connectionString: databaseUrl, max: DATABASE_CONNECTIONS });
    const db = new PrismaClient({ adapter });
    const app = express().use(express.json());
    const respond = (res: Response, body: object) => res.status('error' in body ? 400 : 200).json(body);
    app.post('/wallet/play', async (req, res) => respond(res, await play(db, req.body)));
    app.post('/wallet/end-round', async (req, res) => respond(res, await endRound(db, req.body)));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = async () => {
      server.close();
      server.closeAllConnections();
      await db.$disconnect();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  () => close(),
);

async function play(db: PrismaClient, { sessionID, amount, mode }: PlayBody) {
  const bookId = 1 + Math.floor(Math.random() * BOOKS);
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
        openedAt: now,
        closedAt: active ? null : now,
      },
      select: { id: true },
    });
    const accounts = { fromAccountId: accountId, toAccountId: await houseAccountOf(tx, account) };
    await tx.transfer.create({
      data: { kind: 'bet', ...accounts, amountMicros: debit, roundId: round.id, createdAt: now },
      select: { id: true },
    });
    const { balanceMicros } = await tx.account.update({
      where: { id: accountId },
      data: { balanceMicros: { decrement: debit }, ...todaysSums(account, now, { wagered: debit, won: 0n }) },
      select: { balanceMicros: true },
    });
    await tx.session.update({ where: { id: session.id }, data: { lastActiveAt: now }, select: { id: true } });
    return {
      balance: { amount: Number(balanceMicros), currency: account.currency },
      round: {
        betID: Number(round.id),
        amount,
        payout: Number(payout),
        payoutMultiplier: payoutMultiplier / 100,
        costMultiplier: 1,
        active,
        mode,
        event: null,
        state: events[mode][bookId - 1],
      },
    };
  }, TRANSACTION);
}

async function endRound(db: PrismaClient, { sessionID }: { sessionID: string }) {
  return db.$transaction(async (tx) => {
    const now = new Date();
    const session = await liveSession(tx, sessionID, now);
    if (session === undefined) return { error: 'ERR_IS' };
    const { playerId, accountId, account, gameVersion } = session;
    const round = await tx.round.findFirst({ where: { playerId, gameId: gameVersion.gameId, closedAt: null } });
    if (round === null) return { error: 'ERR_VAL' };
    const { id: roundId, payoutMicros: amountMicros } = round;
    await tx.round.update({ where: { id: roundId }, data: { closedAt: now }, select: { id: true } });
    const accounts = { fromAccountId: await houseAccountOf(tx, account), toAccountId: accountId };
    await tx.transfer.create({
      data: { kind: 'payout', ...accounts, amountMicros, roundId, createdAt: now },
      select: { id: true },
    });
    const sums = todaysSums(account, now, { wagered: 0n, won: amountMicros });
    const { balanceMicros } = await tx.account.update({
      where: { id: accountId },
      data: { balanceMicros: { increment: amountMicros }, ...sums },
      select: { balanceMicros: true },
    });
    await tx.session.update({ where: { id: session.id }, data: { lastActiveAt: now }, select: { id: true } });
    return { balance: { amount: Number(balanceMicros), currency: account.currency } };
  }, TRANSACTION);
}

const eventsOfMode = (mode: PlayBody['mode']) =>
  Array.from({ length: BOOKS }, (_, index) => eventsOf(index + 1, PAYOUT_MULTIPLIER[mode]));
const events = { LOSE: eventsOfMode('LOSE'), WIN: eventsOfMode('WIN') };

async function liveSession(tx: Transaction, sessionID: string, now: Date) {
  const session = await tx.session.findUnique({
    where: { tokenSha256: sha256Of(sessionID) },
    include: { account: true, gameVersion: true },
  });
  if (session === null || session.state !== 'authenticated' || session.expiresAt <= now) return undefined;
  return session.lastActiveAt.getTime() + SESSION_TIMEOUT_MS <= now.getTime() ? undefined : session;
}

/** The sums of a day begin anew with its first transfer. */
function todaysSums({ countedOn }: Account, now: Date, { wagered, won }: { wagered: bigint; won: bigint }) {
  const today = new Date(now.toISOString().slice(0, 10));
  if (countedOn?.getTime() !== today.getTime())
    return { countedOn: today, wageredTodayMicros: wagered, wonTodayMicros: won };
  return { wageredTodayMicros: { increment: wagered }, wonTodayMicros: { increment: won } };
}

const houseAccounts = new Map<string, bigint>();

async function houseAccountOf(tx: Transaction, { operatorId, currency }: Account): Promise<bigint> {
  const key = `${operatorId} ${currency}`;
  const known = houseAccounts.get(key);
  if (known !== undefined) return known;
  const { id } = await tx.account.findFirstOrThrow({ where: { operatorId, currency, kind: 'house' } });
  houseAccounts.set(key, id);
  return id;
}
