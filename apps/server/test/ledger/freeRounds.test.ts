import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/ledger.ts';
import { completeRounds, voidRound } from '../../src/ledger/voidAndComplete.ts';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import { expireGrants } from '../../src/store/rounds/grantExpiry.ts';
import { giveGrant, makeDue } from '../support/grants.ts';
import { BET, type LedgerPlayer, losing, useLedger } from '../support/ledgerPlay.ts';
import { age } from '../support/moveTime.ts';

const used = useLedger({ house: 1, seamless: 1 });
const [HOUSE, SEAMLESS] = [0, 1];
const PAYOUT = toMicros(2_000_000);
const WIN = { payout: PAYOUT, payoutMultiplier: 200n };

const player = (index: number): LedgerPlayer => {
  const found = used.players[index];
  if (found === undefined) throw new Error(`there is no player ${index}`);
  return found;
};

async function give(index: number, given: Omit<Parameters<typeof giveGrant>[1], 'accountID' | 'gameID'> = {}) {
  await used.db.operator.updateMany({ data: { freeRounds: true } });
  const session = await used.db.session.findUniqueOrThrow({ where: { id: player(index).sessionRowID } });
  return giveGrant(used.db, { accountID: session.accountId, gameID: session.gameId, ...given });
}

const grantOf = (grantID: string) => used.db.grant.findFirstOrThrow({ where: { externalId: grantID } });
const accountOf = (index: number) => used.db.account.findFirstOrThrow({ where: { playerId: player(index).playerID } });
const roundOf = (roundID: bigint) => used.db.round.findUniqueOrThrow({ where: { id: roundID } });
const open = (index: number, bet: Partial<Parameters<typeof used.ledger.openFreeRound>[0]>) =>
  used.ledger.openFreeRound({ ...BET, ...player(index), grantID: undefined, ...bet });

/** Ends what a test has left open, so that each begins without an open round and without grants. */
afterEach(async () => {
  const grants = await used.db.grant.findMany({ where: { endedAt: null } });
  await used.db.$executeRaw`SELECT end_grants(${grants.map(({ id }) => id)}::bigint[], 'cancelled')`;
  for (const index of [HOUSE, SEAMLESS]) {
    const pending = await used.db.walletTransaction.findMany({ where: { settledAt: null, kind: 'debit' } });
    for (const { transactionId } of pending) await used.settle(player(index), transactionId, 'refused');
    await used.end(player(index));
  }
  expect((await booksBalance(used.db)).imbalances).toEqual([]);
});

type Model = {
  given: number;
  used: number;
  left: number;
  expired: number;
  cancelled: number;
  won: number;
  state: string;
  /** The round that is open: its debit may have no result yet, its credit may have been stored. */
  round?: { payout: number; money: 'pending' | 'open' | 'owed' } | undefined;
};

const anyAct = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      pays: fc.boolean(),
      autoClose: fc.boolean(),
      debit: fc.constantFrom(
        'accepted' as const,
        'accepted' as const,
        'refused' as const,
        'uncertain' as const,
        'none' as const,
      ),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('end' as const), credit: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'void' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { do: 'accept' as const },
      { do: 'cancel' as const },
      { do: 'decline' as const },
      { do: 'expire' as const },
    ),
  },
);
type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

const isOpen = ({ state }: Model) => state === 'offered' || state === 'accepted';

/** Ends the round of the model, and the grant when nothing is left. */
function complete(model: Model, isVoid: boolean) {
  if (model.round === undefined) return;
  if (!isVoid) model.won += model.round.payout;
  else {
    model.used -= 1;
    if (isOpen(model)) model.left += 1;
    else if (model.state === 'expired') model.expired += 1;
    else model.cancelled += 1;
  }
  model.round = undefined;
  if (model.left === 0 && isOpen(model)) model.state = 'finished';
}

/** Does the same with the ledger and with the model. */
async function act(index: number, grantID: string, { wanted, model }: { wanted: Act; model: Model }) {
  const { ledger, db } = used;
  if (wanted.do === 'play') {
    const isPlayable = model.round === undefined && isOpen(model) && model.left > 0;
    const bet = { ...(wanted.pays && WIN), autoClose: wanted.autoClose };
    const opened = await open(index, { ...bet, grantID });
    expect(opened.ok).toBe(isPlayable);
    if (!opened.ok) return;
    Object.assign(model, { used: model.used + 1, left: model.left - 1, state: 'accepted' });
    const payout = wanted.pays ? PAYOUT : 0;
    model.round = { payout, money: 'open' };
    const isClosed = wanted.autoClose && payout === 0;
    if (opened.debitID === undefined) return isClosed ? complete(model, false) : undefined;
    if (wanted.debit === 'none') {
      model.round.money = 'pending';
    } else if (wanted.debit === 'accepted') {
      const accepted = {
        transactionID: opened.debitID,
        httpStatus: 200,
        reportedBalance: toMicros(0),
        reference: undefined,
      };
      await ledger.acceptFreeDebit({
        ...player(index),
        ...accepted,
        autoClose: wanted.autoClose,
        walletTimeoutMs: 1_000,
        closed: false,
      });
      if (isClosed) complete(model, false);
    } else {
      await used.settle(player(index), opened.debitID, wanted.debit);
      complete(model, true);
    }
  } else if (wanted.do === 'end') {
    const closed = await ledger.endRound(player(index));
    if (closed.ok && closed.credit !== undefined && wanted.credit)
      await used.settle(player(index), closed.credit.transactionID, 'accepted');
    if (model.round === undefined || model.round.money === 'pending') return;
    if (index === HOUSE || wanted.credit) complete(model, false);
    else model.round.money = 'owed';
  } else if (wanted.do === 'void') {
    const round = await db.round.findFirst({ where: { playerId: player(index).playerID, endedAt: null } });
    if (round === null) return;
    const { operatorId } = await accountOf(index);
    const outcome = await voidRound(db, { operatorID: operatorId, roundID: round.id, reason: 'test' });
    expect(outcome).toBe(
      ({ pending: 'settling', open: 'void', owed: 'was_completed' } as const)[model.round?.money ?? 'open'],
    );
    if (outcome === 'void') complete(model, true);
  } else if (wanted.do === 'accept' || wanted.do === 'decline') {
    await ledger.decideGrant({ ...player(index), grantID, decision: wanted.do });
    if (!isOpen(model)) return;
    if (wanted.do === 'accept') model.state = 'accepted';
    else Object.assign(model, { state: 'declined', cancelled: model.cancelled + model.left, left: 0 });
  } else if (wanted.do === 'cancel') {
    const { id } = await grantOf(grantID);
    await db.$executeRaw`SELECT end_grants(ARRAY[${id}]::bigint[], 'cancelled')`;
    if (isOpen(model)) Object.assign(model, { state: 'cancelled', cancelled: model.cancelled + model.left, left: 0 });
  } else {
    await makeDue(db, grantID);
    await expireGrants(db, 10);
    if (isOpen(model) && model.left > 0)
      Object.assign(model, { state: 'expired', expired: model.expired + model.left, left: 0 });
  }
}

it.each([
  ['house wallet', HOUSE],
  ['seamless wallet', SEAMLESS],
] as const)(
  '%s: whatever happens, a grant counts each of its rounds once',
  { timeout: 240_000 },
  async (_name, index) => {
    const life = fc.record({
      acts: fc.array(anyAct, { maxLength: 14 }),
      given: fc.integer({ min: 1, max: 4 }),
      paidAtEnd: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(life, async ({ acts, given, paidAtEnd }) => {
        const grantID = await give(index, { given, paidAtEnd });
        const before = await accountOf(index);
        const model: Model = { given, used: 0, left: given, expired: 0, cancelled: 0, won: 0, state: 'offered' };
        for (const wanted of acts) {
          await act(index, grantID, { wanted, model });
          if (wanted.do === 'expire' && isOpen(model)) break;
          const { round, won, ...counts } = model;
          expect(await grantOf(grantID)).toMatchObject({
            ...counts,
            wonMicros: BigInt(won),
            openRounds: round === undefined ? 0 : 1,
          });
        }
        for (const { transactionId } of await used.db.walletTransaction.findMany({
          where: { settledAt: null, kind: 'debit' },
        })) {
          await used.settle(player(index), transactionId, 'refused');
          complete(model, true);
        }
        await used.end(player(index));
        complete(model, false);
        if (isOpen(model)) await act(index, grantID, { wanted: { do: 'cancel' }, model });
        const { round, won, ...counts } = model;
        const ended = await grantOf(grantID);
        expect(ended).toMatchObject({ ...counts, wonMicros: BigInt(won), openRounds: 0, endedAt: expect.any(Date) });
        // The house has paid all wins, however; an operator is owed winnings at the end of a grant.
        const after = await accountOf(index);
        if (index === HOUSE) expect((after.balanceMicros ?? 0n) - (before.balanceMicros ?? 0n)).toBe(BigInt(won));
        const owed = await used.db.walletTransaction.findMany({
          where: { kind: 'winnings', roundId: ended.lastRoundId ?? 0n },
        });
        expect(owed.map(({ amountMicros }) => Number(amountMicros))).toEqual(
          index === SEAMLESS && paidAtEnd && won > 0 ? [won] : [],
        );
        expect([after.wageredTodayMicros, after.wonTodayMicros]).toEqual([0n, 0n]);
      }),
      { numRuns: 150 },
    );
    expect((await booksBalance(used.db)).imbalances).toEqual([]);
  },
);

it('plays of all sessions and nodes at once take no round more than is left', async () => {
  const nodes = [used.ledger, createLedger(used.db)];
  for (let time = 0; time < 20; time += 1) {
    const grantID = await give(HOUSE, { given: 2 });
    const plays = Array.from({ length: 20 }, (_, index) =>
      nodes[index % 2]?.openFreeRound({ ...BET, ...player(HOUSE), grantID }),
    );
    const opened = (await Promise.all(plays)).filter((outcome) => outcome?.ok);
    expect(opened).toHaveLength(2);
    expect(await grantOf(grantID)).toMatchObject({ used: 2, left: 0, state: 'finished' });
  }
});

it('a play that is sent again with its key takes no second round', async () => {
  const grantID = await give(HOUSE);
  const bet = { grantID, playKey: 'the-same', autoClose: false };
  const [first, again] = [await open(HOUSE, bet), await open(HOUSE, bet)];
  expect(again).toMatchObject({ ok: true, replayed: true, roundID: first.ok && first.roundID });
  expect(await grantOf(grantID)).toMatchObject({ used: 1, left: 2 });
  await used.end(player(HOUSE));
  const other = await give(HOUSE);
  expect(await open(HOUSE, { ...bet, grantID: other })).toEqual({ ok: false, refusal: 'key_reused' });
});

it('a batch that is sent again finds its free round, with its grant', async () => {
  const grantID = await give(HOUSE, { automatic: true });
  let runs = 0;
  const isFirst = async () => {
    runs += 1;
    return runs === 1;
  };
  const lossy = createLedger(losing(used.db, isFirst));
  const opened = await lossy.openFreeRound({ ...BET, ...player(HOUSE), grantID, autoClose: false });
  expect(opened).toMatchObject({ ok: true, grantID, replayed: false });
  expect(await grantOf(grantID)).toMatchObject({ used: 1, left: 2, openRounds: 1 });
});

it('an automatic grant pays a bet of its mode and amount, and no other one', async () => {
  const grantID = await give(HOUSE, { automatic: true, given: 1 });
  const { balanceMicros } = await accountOf(HOUSE);
  expect(await used.ledger.openRound({ ...BET, ...player(HOUSE) })).toEqual({ ok: false, refusal: 'free_round' });
  const two = { amount: toMicros(2_000_000), debit: toMicros(2_000_000) };
  const paid = await open(HOUSE, two);
  expect(paid).toMatchObject({ ok: true, grantID: undefined });
  expect(await accountOf(HOUSE)).toMatchObject({ balanceMicros: (balanceMicros ?? 0n) - 2_000_000n });
  expect(await open(HOUSE, {})).toMatchObject({ ok: true, grantID });
  expect(await accountOf(HOUSE)).toMatchObject({
    hasAutomaticGrant: false,
    balanceMicros: (balanceMicros ?? 0n) - 2_000_000n,
  });
  expect(await used.ledger.openRound({ ...BET, ...player(HOUSE) })).toMatchObject({ ok: true, grantID: undefined });
});

it.each([
  ['another amount', 'grant_mismatch', { amount: toMicros(2_000_000), debit: toMicros(2_000_000) }, {}],
  ['another mode', 'grant_mismatch', { mode: 'BONUS' }, {}],
  ['a grant that has not begun', 'grant_over', {}, { startsAt: new Date(Date.now() + 86_400_000) }],
  ['a grant that is due', 'grant_over', {}, { startsAt: new Date(0), expiresAt: new Date(Date.now() - 1) }],
  ['an unknown grant', 'grant_unknown', { grantID: 'no such grant' }, {}],
] as const)('%s: %s, and nothing changes', async (_name, refusal, bet, given) => {
  const grantID = await give(HOUSE, given);
  const before = await grantOf(grantID);
  expect(await open(HOUSE, { grantID, ...bet })).toEqual({ ok: false, refusal });
  expect(await grantOf(grantID)).toEqual(before);
});

it('an operator that no longer takes free rounds gets none', async () => {
  const grantID = await give(SEAMLESS);
  await used.db.operator.updateMany({ data: { freeRounds: false } });
  expect(await open(SEAMLESS, { grantID })).toEqual({ ok: false, refusal: 'grants_off' });
});

it('a player below every limit, and without money, plays a free round', async () => {
  const { id, operatorId } = await accountOf(HOUSE);
  const grantID = await give(HOUSE);
  const nothing = { dailyWagerLimitMicros: 0n, dailyLossLimitMicros: 0n };
  await used.db.account.update({ where: { id }, data: nothing });
  await used.db.operatorLimit.create({ data: { operatorId, currency: 'USD', maxBetMicros: 0n } });
  const opened = await open(HOUSE, { grantID, ...WIN });
  expect(opened.ok).toBe(true);
  await used.end(player(HOUSE));
  expect(await accountOf(HOUSE)).toMatchObject({ wonTodayMicros: 0n, wageredTodayMicros: expect.any(BigInt) });
  await used.db.operatorLimit.deleteMany({});
  await used.db.account.update({ where: { id }, data: { dailyWagerLimitMicros: null, dailyLossLimitMicros: null } });
});

it.each([
  ['house wallet', HOUSE],
  ['seamless wallet', SEAMLESS],
] as const)('%s: a free round that its player has left is completed, and counts in its grant', async (_name, index) => {
  const { operatorId, wonTodayMicros } = await accountOf(index);
  const grantID = await give(index, { given: 2, paidAtEnd: true });
  await used.db.operator.update({ where: { id: operatorId }, data: { completeRoundsAfterHours: 1 } });
  const opened = await open(index, { grantID, ...WIN, autoClose: false });
  if (opened.ok && opened.debitID !== undefined) {
    const accepted = {
      transactionID: opened.debitID,
      httpStatus: 200,
      reportedBalance: toMicros(0),
      reference: undefined,
    };
    await used.ledger.acceptFreeDebit({
      ...player(index),
      ...accepted,
      autoClose: false,
      walletTimeoutMs: 1_000,
      closed: false,
    });
  }
  await age(used, 1, player(index).playerID);
  const [roundId = 0n] = await completeRounds(used.db, 10);
  expect(roundId).toBe(opened.ok && opened.roundID);
  const credits = await used.db.walletTransaction.findMany({ where: { roundId, kind: 'credit' } });
  for (const { transactionId } of credits) await used.settle(player(index), transactionId, 'accepted');
  expect(credits.map(({ amountMicros }) => amountMicros)).toEqual(index === SEAMLESS ? [0n] : []);
  expect(await grantOf(grantID)).toMatchObject({ used: 1, left: 1, openRounds: 0, wonMicros: BigInt(PAYOUT) });
  expect(await accountOf(index)).toMatchObject({ wonTodayMicros });
});

it('a balance that cannot hold the winnings keeps its grant open for the next sweep', async () => {
  const { id, balanceMicros } = await accountOf(HOUSE);
  const grantID = await give(HOUSE, { given: 1, paidAtEnd: true });
  expect((await open(HOUSE, { grantID, ...WIN })).ok).toBe(true);
  const most = 9_007_199_254_740_991n;
  await used.db.account.update({ where: { id }, data: { balanceMicros: most } });
  await used.end(player(HOUSE));
  expect(await grantOf(grantID)).toMatchObject({ state: 'accepted', endedAt: null, wonMicros: BigInt(PAYOUT) });
  await used.db.account.update({ where: { id }, data: { balanceMicros } });
  await makeDue(used.db, grantID);
  await expireGrants(used.db, 10);
  expect(await grantOf(grantID)).toMatchObject({ state: 'finished', endedAt: expect.any(Date) });
  expect(await roundOf((await grantOf(grantID)).lastRoundId ?? 0n)).toMatchObject({ creditMicros: 0n });
});
