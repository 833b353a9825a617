import { toMicros } from '@roundhouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeRounds, voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { changeOperator } from '../../../src/operators/settings/changeOperator.ts';
import type { EventKind } from '../../../src/store/watch/eventKinds.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { BET, type LedgerPlayer, priced, useLedger } from '../../support/ledgerPlay.ts';
import { ageRounds, HOUR_MS } from '../../support/moveTime.ts';
import { expectBooksBalance } from '../../support/testServer.ts';

const database = useLedger({ actor: 'node:host#1', house: 9, seamless: 1 });

/** Makes a bet of each player at once, with its cost and payout. */
async function largeEventsOf(bets: [debit: number, payout: number][]) {
  const known = (await listEvents(database.db)).length;
  const rounds = await Promise.all(
    bets.map((bet) =>
      database.ledger.openRound({ ...BET, ...(database.players.shift() as LedgerPlayer), ...priced(bet) }),
    ),
  );
  const events = (await listEvents(database.db)).slice(known).map(({ kind, subject, after, actor }) => {
    return { kind, subject, actor, ...JSON.parse(after ?? '') };
  });
  return { rounds, events };
}

it('without thresholds no bet and no win is an event', async () => {
  expect((await largeEventsOf([[900_000_000, 9_000_000_000]])).events).toEqual([]);
});

it('a bet and a win from the thresholds on are events, each of one round', async () => {
  const limits = [
    { currency: 'USD' as const, largeBetMicros: toMicros(5_000_000), largeWinMicros: toMicros(20_000_000) },
  ];
  await changeOperator(database.db, { code: 'house', kind: 'set', change: { limits }, makeSecret: () => '' });
  const { rounds, events } = await largeEventsOf([
    [4_999_999, 0],
    [5_000_000, 0],
    [1_000_000, 20_000_000],
    [1_000_000, 19_990_000],
    [6_000_000, 60_000_000],
  ]);
  expect(rounds).toMatchObject(rounds.map(() => ({ ok: true })));
  const [, bet, win, , both] = rounds.map((round) => `round ${round.ok && round.roundID}`);
  const of = (kind: EventKind, subject: unknown, micros: object) => {
    return { kind, subject, actor: 'node:host#1', currency: 'USD', account: expect.any(Number), ...micros };
  };
  expect(events).toHaveLength(4);
  expect(events).toEqual(
    expect.arrayContaining([
      of('large_bet', bet, { bet_micros: 5_000_000 }),
      of('large_win', win, { bet_micros: 1_000_000, payout_micros: 20_000_000 }),
      of('large_bet', both, { bet_micros: 6_000_000 }),
      of('large_win', both, { bet_micros: 6_000_000, payout_micros: 60_000_000 }),
    ]),
  );
  await expectBooksBalance(database.db);
});

describe('bets and wins of a day', () => {
  const seamless = () => database.players.at(-1) as LedgerPlayer;

  beforeAll(async () => {
    const thresholds = { largeDailyWagerMicros: toMicros(5_000_000), largeDailyWinMicros: toMicros(20_000_000) };
    const limits = [{ currency: 'USD' as const, largeBetMicros: null, largeWinMicros: null, ...thresholds }];
    for (const code of ['house', 'acme']) {
      const change = { limits, completeRoundsAfterHours: 1 };
      await changeOperator(database.db, { code, kind: 'set', change, makeSecret: () => '' });
    }
  });

  const ownerOf = ({ playerID }: LedgerPlayer) =>
    database.db.player.findUniqueOrThrow({ where: { id: playerID }, include: { operator: true, accounts: true } });

  /** Returns the events of the player, each with its sum. */
  async function daysOf(player: LedgerPlayer, kind: EventKind) {
    const { externalId, operator, accounts } = await ownerOf(player);
    const day = new Date().toISOString().slice(0, 10);
    const subject = `account ${accounts[0]?.id} of player ${externalId} of operator ${operator.code} on ${day}`;
    const events = (await listEvents(database.db)).filter((each) => each.kind === kind && each.subject === subject);
    return events.map(({ after }) => JSON.parse(after ?? ''));
  }

  /** Leaves the round open, unless it pays nothing. */
  async function open(player: LedgerPlayer, debit: number, payout = 0): Promise<bigint> {
    const roundID = await database.play(player, { money: [debit, payout] });
    return roundID ?? expect.fail('the play was refused');
  }

  const end = (player: LedgerPlayer) => database.end(player);
  async function complete(player: LedgerPlayer) {
    await ageRounds(database, (await ownerOf(player)).externalId, 2 * HOUR_MS);
    expect(await completeRounds(database.db, 10)).toHaveLength(1);
  }
  const next = () => database.players.shift() as LedgerPlayer;

  it.each([
    { wallet: 'house', player: next },
    { wallet: 'seamless', player: seamless },
  ])('$wallet wallet: bets that reach the threshold are one event of the day', async ({ player }) => {
    const bettor = player();
    const events = () => daysOf(bettor, 'large_daily_wager');
    await open(bettor, 2_499_999);
    await open(bettor, 2_500_000);
    expect(await events()).toEqual([]);
    const roundID = await open(bettor, 1, 1);
    expect(await events()).toEqual([{ bets_micros: 5_000_000, currency: 'USD' }]);
    // A void bet lowers the sum, and the next bet reaches the threshold again.
    const { operatorId } = await ownerOf(bettor);
    expect(await voidRound(database.db, { operatorID: operatorId, roundID, reason: 'test' })).toBe('void');
    for (let bet = 0; bet < 2; bet += 1) await open(bettor, 1);
    expect(await events()).toHaveLength(1);
  });

  it.each([
    { way: 'the end of a round', player: next, credit: end },
    { way: 'the completion of a round', player: next, credit: complete },
    { way: 'the credit of a seamless wallet', player: seamless, credit: end },
  ])('by $way: wins that reach the threshold are one event of the day', async ({ player, credit }) => {
    const winner = player();
    const events = () => daysOf(winner, 'large_daily_win');
    await open(winner, 19_999_999, 19_999_999);
    await credit(winner);
    expect(await events()).toEqual([]);
    await open(winner, 1, 1);
    expect(await events()).toEqual([]);
    await credit(winner);
    expect(await events()).toEqual([{ wins_micros: 20_000_000, currency: 'USD' }]);
    await open(winner, 50_000_000, 50_000_000);
    await credit(winner);
    expect(await events()).toHaveLength(1);
    await expectBooksBalance(database.db);
  });
});
