import { setTimeout } from 'node:timers/promises';
import { openClient } from '@roundhouse/service';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { voidRound } from '../../src/ledger/voidAndComplete.ts';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import { listRounds } from '../../src/store/operators/operatorRounds.ts';
import { findRoundDetail } from '../../src/store/operators/roundDetail.ts';
import { readRoundRecords } from '../../src/store/operators/roundRecords.ts';
import { archiveRounds, compactTables } from '../../src/store/rounds/archive.ts';
import { findRound } from '../../src/store/rounds/rounds.ts';
import { findWalletTransactions } from '../../src/store/rounds/walletTransactions.ts';
import { anyAct, type LedgerPlayer, useLedger } from '../support/ledgerPlay.ts';
import { age, DAY_MS } from '../support/moveTime.ts';
import { runRoundhouse, succeed } from '../support/roundhouse.ts';
import { expectBooksBalance } from '../support/testServer.ts';

const ONE_PLAYER = { externalID: 'player-1', gameID: 'game' };

const books = useLedger({ house: 8, seamless: 3 });

const monthAgo = () => new Date(Date.now() - 30 * DAY_MS);
const archive = (step = 3) => archiveRounds(books.db, { closedBefore: monthAgo(), move: true, step });

async function isArchived(id = 0n): Promise<boolean> {
  const { db } = books;
  const [hot, cold] = [await db.round.count({ where: { id } }), await db.archivedRound.count({ where: { id } })];
  expect(hot + cold).toBe(1);
  return cold === 1;
}

/** Reads all that players, operators and reports can read of rounds. */
async function allThatIsRead() {
  const { db } = books;
  const read: unknown[] = [];
  for (const player of books.players) {
    const { ok, ...rest } = await books.ledger.readHistory({ ...player, before: Number.MAX_SAFE_INTEGER, most: 1_000 });
    read.push(rest, await books.ledger.authenticateSession(player));
  }
  const ids = await db.$queryRaw<{ id: string }[]>`
    SELECT transaction_id::text AS id FROM all_wallet_transactions ORDER BY 1`;
  for (const { id: operatorID } of await db.operator.findMany({ orderBy: { id: 'asc' } })) {
    const all = { externalID: undefined, gameID: undefined, from: undefined, to: undefined, state: undefined };
    const list = (more: object) => listRounds(db, { operatorID, ...all, before: undefined, limit: 1_000, ...more });
    const { rounds } = await list({});
    for (const more of [{ state: 'void' }, { state: 'settled' }, { from: monthAgo() }, ONE_PLAYER])
      read.push(await list(more));
    for (const { roundID } of rounds) {
      read.push(await findRoundDetail(db, { operatorID, roundID, events: { after: 0n, limit: 10 } }));
      read.push(await findRound(db, roundID));
    }
    const transactionIDs = ids.map(({ id }) => id);
    read.push(rounds, await findWalletTransactions(db, operatorID, transactionIDs));
  }
  await readRoundRecords(db, {}, async (page) => void read.push(...page));
  return { read, books: await booksBalance(db) };
}

const plan = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ player: fc.nat(3), action: anyAct }) },
    { weight: 1, arbitrary: fc.record({ days: fc.constantFrom(20, 40) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.integer({ min: 1, max: 9 }) }) },
  ),
  { minLength: 20, maxLength: 60 },
);

describe('archiving', () => {
  it('at any moment changes nothing that is read, and the books balance', async () => {
    const four = [...books.players.slice(0, 2), ...books.players.slice(8, 10)];
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        for (const step of steps) {
          if ('action' in step) await books.act(four[step.player] as LedgerPlayer, step.action);
          else if ('days' in step) await age(books, step.days);
          else {
            const before = await allThatIsRead();
            await archive(step.step);
            expect(await allThatIsRead()).toEqual(before);
            expect(before.books.imbalances).toEqual([]);
          }
        }
        await age(books, 40);
        await archive();
        await expectBooksBalance(books.db);
      }),
      { numRuns: 4 },
    );
    expect(await books.db.archivedRound.count()).toBeGreaterThan(0);
  });

  it('leaves the open round, the last one that is not void, and younger ones', async () => {
    const player = books.players[2] as LedgerPlayer;
    const lost = await books.play(player);
    const won = await books.play(player, { pays: true });
    await books.ledger.recordEvent({ ...player, event: 'picked:1' });
    await books.end(player);
    await age(books, 20);
    const open = await books.play(player, { pays: true });
    await age(books, 15);
    await archive();
    expect([await isArchived(lost), await isArchived(won), await isArchived(open)]).toEqual([true, false, false]);
    const { operatorId: operatorID } = await books.db.player.findUniqueOrThrow({ where: { id: player.playerID } });
    expect(await voidRound(books.db, { operatorID, roundID: open ?? 0n, reason: 'test' })).toBe('void');
    await age(books, 40);
    await archive();
    expect([await isArchived(won), await isArchived(open)]).toEqual([false, false]);
    await books.play(player);
    await archive();
    expect([await isArchived(won), await isArchived(open)]).toEqual([true, true]);
    expect(await books.db.archivedRoundEvent.count({ where: { roundId: won ?? 0n } })).toBe(1);
    for (const [roundID, outcome] of [
      [open, 'was_void'],
      [won, 'was_completed'],
    ] as const) {
      expect(await voidRound(books.db, { operatorID, roundID: roundID ?? 0n, reason: 'again' })).toBe(outcome);
    }
    await expectBooksBalance(books.db);
  });

  it('leaves a round with a pending or parked wallet transaction until it is settled', async () => {
    const player = books.players.at(-1) as LedgerPlayer;
    const roundID = await books.play(player, { debit: 'uncertain' });
    await books.play(player);
    await age(books, 40);
    const where = { roundId: roundID ?? 0n, kind: 'rollback' } as const;
    const { transactionId } = await books.db.walletTransaction.findFirstOrThrow({ where });
    for (const state of ['pending', 'parked'] as const) {
      await books.db.walletTransaction.update({ where: { transactionId }, data: { state } });
      await archive();
      expect(await isArchived(roundID)).toBe(false);
    }
    await books.settle(player, transactionId, 'accepted');
    await archive();
    expect(await isArchived(roundID)).toBe(true);
    expect(await books.db.archivedWalletTransaction.count({ where: { roundId: roundID ?? 0n } })).toBe(2);
  });

  it('leaves the rounds of a grant that has not ended', async () => {
    const player = books.players[5] as LedgerPlayer;
    await books.give(player, { rounds: 2, paidAtEnd: true });
    const first = await books.play(player, { free: true });
    const last = await books.play(player, { free: true, pays: true });
    await books.play(player);
    await age(books, 40);
    await archive();
    expect([await isArchived(first), await isArchived(last)]).toEqual([false, false]);
    await books.end(player);
    await books.play(player);
    await age(books, 40);
    await archive();
    expect([await isArchived(first), await isArchived(last)]).toEqual([true, true]);
    const winnings = { roundId: last ?? 0n, kind: 'winnings' } as const;
    expect(await books.db.archivedTransfer.count({ where: winnings })).toBe(1);
    await expectBooksBalance(books.db);
  });

  it('leaves the round of a key while its session can repeat the play', async () => {
    const player = books.players[3] as LedgerPlayer;
    const roundID = await books.play(player, { playKey: 'key' });
    await books.play(player);
    await age(books, 40);
    await archive();
    expect(await books.play(player, { playKey: 'key' })).toBe(roundID);
    const expire = (expiresAt: Date) =>
      books.db.session.update({ where: { id: player.sessionRowID }, data: { expiresAt } });
    await expire(new Date());
    await archive();
    expect(await isArchived(roundID)).toBe(true);
    await expire(new Date(Date.now() + DAY_MS));
  });

  it('goes on after a kill in the middle, and has moved each round whole or not at all', async () => {
    const { db } = books;
    const player = books.players[4] as LedgerPlayer;
    const rounds: (bigint | undefined)[] = [];
    for (let index = 0; index < 8; index += 1) rounds.push(await books.play(player));
    await age(books, 40);
    const holder = await openClient(books.url);
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM rounds WHERE id = $1 FOR UPDATE', [String(rounds[4])]);
    const killed = expect(archive(2)).rejects.toThrow();
    const waiting = () => db.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%archive_rounds%'`;
    await expect.poll(waiting).toHaveLength(1);
    await db.$executeRaw`SELECT pg_terminate_backend(${(await waiting())[0]?.pid}::integer)`;
    await killed;
    await holder.end();
    const moved = await Promise.all(rounds.map(isArchived));
    expect(moved.slice(0, 2)).toEqual([true, true]);
    expect(moved.slice(4)).toEqual([false, false, false, false]);
    await expectBooksBalance(books.db);
    await archive(2);
    expect(await Promise.all(rounds.map(isArchived))).toEqual([...Array(7).fill(true), false]);
    expect(await archive()).toMatchObject({ rounds: 0 });
    await expectBooksBalance(books.db);
  });

  it('goes on beside plays, and beside another run of it', async () => {
    const busy = books.players.slice(2, 8);
    for (const player of busy) for (let index = 0; index < 10; index += 1) await books.play(player);
    await age(books, 40);
    let isOver = false;
    const playing = busy.map(async (player) => {
      for (let index = 0; !isOver || index < 20; index += 1) {
        await books.play(player, { pays: index % 2 === 0 });
        await books.end(player);
        await setTimeout(1);
      }
    });
    const [one, two] = await Promise.all([archive(1), archive(2)]);
    await compactTables(books.db);
    isOver = true;
    await Promise.all(playing);
    expect(one.rounds + two.rounds).toBeGreaterThanOrEqual(9 * busy.length);
    await expectBooksBalance(books.db);
  });
});

describe('roundhouse archive', () => {
  const run = (...args: string[]) => succeed(['archive', ...args], { env: { DATABASE_URL: books.url } });

  it('counts in a dry run, moves, and says how much', async () => {
    await archive();
    const player = books.players[2] as LedgerPlayer;
    for (let index = 0; index < 3; index += 1) await books.play(player);
    await age(books, 40);
    expect(await run('--older-than', '30d', '--dry-run')).toMatch(/^It would archive \d+ rounds closed before /);
    const dry = Number(/\d+/.exec(await run('--older-than', '30d', '--dry-run'))?.[0]);
    expect(dry).toBeGreaterThanOrEqual(3);
    const said = await run('--older-than', monthAgo().toISOString());
    const counts = 'with \\d+ events, \\d+ transfers and \\d+ wallet transactions';
    expect(said).toMatch(new RegExp(`^Archived ${dry} rounds closed before .*, ${counts}\\.\n$`));
    expect(await run('--older-than', '30d')).toMatch(/^Archived 0 rounds/);
  });

  it.each(['0d', 'now', '90', '2030-01-31'])('refuses --older-than %s', async (age) => {
    const { code } = await runRoundhouse(['archive', '--older-than', age], { env: { DATABASE_URL: books.url } });
    expect(code).not.toBe(0);
  });
});
