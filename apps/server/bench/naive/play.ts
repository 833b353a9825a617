import type { PrismaClient } from '../../dist/ledger/generated/client.js';
import { eventsOf } from '../stage/game.ts';
import { PAYOUT_MULTIPLIER } from '../workload.ts';
import { houseAccountOf, liveSession, TRANSACTION, todaysSums } from './session.ts';

const BOOKS = 1_000;

type PlayBody = { sessionID: string; amount: number; mode: 'LOSE' | 'WIN' };

export async function play(db: PrismaClient, { sessionID, amount, mode }: PlayBody) {
  const book = drawBook(mode);
  const payout = (BigInt(amount) * BigInt(book.payoutMultiplier)) / 100n;
  const active = payout > 0n;
  const debit = BigInt(amount);

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
        bookId: book.id,
        payoutMultiplier: book.payoutMultiplier,
        payoutMicros: payout,
        openedAt: now,
        closedAt: active ? null : now,
      },
      select: { id: true },
    });
    await tx.transfer.create({
      data: {
        kind: 'bet',
        fromAccountId: accountId,
        toAccountId: await houseAccountOf(tx, account),
        amountMicros: debit,
        roundId: round.id,
        createdAt: now,
      },
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
        payoutMultiplier: book.payoutMultiplier / 100,
        costMultiplier: 1,
        active,
        mode,
        event: null,
        state: book.events,
      },
    };
  }, TRANSACTION);
}

function drawBook(mode: PlayBody['mode']) {
  const id = 1 + Math.floor(Math.random() * BOOKS);
  const payoutMultiplier = PAYOUT_MULTIPLIER[mode];
  return { id, payoutMultiplier, events: books[mode][id - 1] };
}

const bookEvents = (mode: PlayBody['mode']) =>
  Array.from({ length: BOOKS }, (_, index) => eventsOf(index + 1, PAYOUT_MULTIPLIER[mode]));
const books = { LOSE: bookEvents('LOSE'), WIN: bookEvents('WIN') };
