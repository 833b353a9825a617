import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestResponse } from '../support/http.ts';
import { imbalancesOf, OPENING_MICROS, type TestPlayer, useOperator } from '../support/testOperator.ts';
import { codeOf } from '../support/walletClient.ts';

const operator = useOperator();
const BETS = 3;
/** This bet is a free round. */
const FREE_BET = 2;
const IDS_PER_KIND = 2;

/** A request about one of a few bets. Each id has one content: the same id is a repetition. */
type Step = {
  kind: 'debit' | 'credit' | 'rollback';
  bet: number;
  /** The index of the id among the ids of the bet's credits or rollbacks. */
  id: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('debit', 'credit', 'rollback'),
  bet: fc.nat({ max: BETS - 1 }),
  id: fc.nat({ max: IDS_PER_KIND - 1 }),
});

type Slip = ReturnType<typeof newSlip>;

/** Makes a bet with all of its ids and amounts. Its first credit leaves the round open. */
function newSlip(player: TestPlayer, number: number) {
  const ids = () => Array.from({ length: IDS_PER_KIND }, () => randomUUID() as string);
  const payouts = [0, 3_000_000 + number];
  const isFree = number === FREE_BET;
  const grant = isFree ? { grantID: `grant-${randomUUID()}` } : {};
  const amount = isFree ? 0 : 1_000_000 + number;
  return { bet: player.newBet(), amount, payouts, creditIDs: ids(), rollbackIDs: ids(), grant, isFree };
}

async function newPlayerWithSlips() {
  const player = await operator.newPlayer();
  return { player, slips: Array.from({ length: BETS }, (_, number) => newSlip(player, number)) };
}

function send(player: TestPlayer, slips: Slip[], { kind, bet: number, id }: Step): Promise<TestResponse> {
  const { bet, amount, payouts, creditIDs, rollbackIDs, grant, isFree } = slips[number] as Slip;
  if (kind === 'debit') return player.debit(bet, amount, isFree ? { ...grant, freeBet: 1 } : {});
  if (kind === 'rollback') return player.rollback(bet, { transactionID: rollbackIDs[id] });
  return player.credit(bet, payouts[id], { transactionID: creditIDs[id], roundClosed: id > 0, ...grant });
}

type Entry = { kind: string; amount: number; transactionID: string };

/**
 * Makes the rules of docs/wallet-protocol.md as a simple model, for one request after the other.
 */
function newModel(slips: Slip[]) {
  const entries: Entry[] = [];
  const has = (...ids: (string | undefined)[]) => entries.some(({ transactionID }) => ids.includes(transactionID));
  const write = (kind: Step['kind'], transactionID: string | undefined, amount: number) => {
    entries.push({ kind, amount, transactionID: transactionID as string });
    return 'done';
  };
  return {
    entries,
    expect({ kind, bet: number, id }: Step): string {
      const { bet, amount, payouts, creditIDs, rollbackIDs } = slips[number] as Slip;
      const isTaken = has(bet.debitID);
      const isRolledBack = has(...rollbackIDs);
      if (kind === 'debit') {
        if (isTaken) return 'done';
        return isRolledBack ? 'ERR_VAL' : write(kind, bet.debitID, 0 - amount);
      }
      if (kind === 'credit') {
        if (has(creditIDs[id])) return 'done';
        if (!isTaken) return 'ERR_BNF';
        return isRolledBack || has(creditIDs[1]) ? 'ERR_VAL' : write(kind, creditIDs[id], payouts[id] as number);
      }
      const isRepeated = has(rollbackIDs[id]);
      if (!isTaken) {
        if (!isRepeated) write(kind, rollbackIDs[id], 0);
        return 'ERR_BNF';
      }
      if (isRepeated) return 'done';
      return has(...creditIDs) ? 'ERR_VAL' : write(kind, rollbackIDs[id], isRolledBack ? 0 : amount);
    },
  };
}

async function entriesOf(player: TestPlayer): Promise<Entry[]> {
  const entries = (await player.statement()).slice(1);
  return entries.map(({ kind, amount, transactionID }) => ({ kind, amount, transactionID }));
}

it('one request after another, in any order and with any repetitions: each gets the result of the rules', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
      const { player, slips } = await newPlayerWithSlips();
      const model = newModel(slips);
      for (const each of steps) {
        expect(codeOf(await send(player, slips, each)), JSON.stringify(each)).toBe(model.expect(each));
      }
      expect(await entriesOf(player)).toEqual(model.entries);
      expect(await imbalancesOf(operator)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('many at once: the ledger balances, each id has one entry, and no bet was both paid and rolled back', async () => {
  const crowds = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 6, size: 'max' });
  await fc.assert(
    fc.asyncProperty(crowds, async (groups) => {
      const { player, slips } = await newPlayerWithSlips();
      for (const steps of groups) await Promise.all(steps.map((each) => send(player, slips, each)));

      const entries = await entriesOf(player);
      expect(new Set(entries.map(({ transactionID }) => transactionID)).size).toBe(entries.length);
      for (const slip of slips) expectPaidOrRolledBack(slip, entries);
      const sum = entries.reduce((total, { amount }) => total + amount, OPENING_MICROS);
      expect(await player.balance()).toBe(sum);
      expect(await imbalancesOf(operator)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

function expectPaidOrRolledBack({ bet, amount, payouts, creditIDs, rollbackIDs }: Slip, entries: Entry[]): void {
  const amountsOf = (ids: string[]) =>
    entries.filter(({ transactionID }) => ids.includes(transactionID)).map((entry) => entry.amount);
  const returned = amountsOf(rollbackIDs).filter((each) => each !== 0);
  const paid = amountsOf(creditIDs);
  const taken = amountsOf([bet.debitID]);
  expect([[], [0 - amount]]).toContainEqual(taken);
  expect([[], [amount]]).toContainEqual(returned);
  expect([[], [payouts[0]], [payouts[1]], payouts]).toContainEqual(paid);
  if (taken.length === 0) expect([...returned, ...paid]).toEqual([]);
  if (returned.length > 0) expect(paid).toEqual([]);
}
