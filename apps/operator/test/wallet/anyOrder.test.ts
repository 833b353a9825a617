import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedLedger, journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import { callArbitrary, type Entry, newModel, newSlips, type Slip, send } from '../support/walletModel.ts';

const operator = useOperator();

test('one call after another, in any order and with any repetitions: each is answered as the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(callArbitrary, { maxLength: 30, size: 'max' }), async (calls) => {
      const player = await operator.newPlayer();
      const slips = newSlips(player);
      const model = newModel(slips);
      for (const call of calls) {
        const { status, body } = await send(player, slips, call);
        expect(status === 200 ? 'done' : body.error, JSON.stringify(call)).toBe(model.expect(call));
      }
      const entries = (await journalOf(operator, player)).slice(1);
      expect(entries.map(({ kind, amount, transactionID }) => ({ kind, amount, transactionID }))).toEqual(
        model.entries,
      );
      expect((await checkedLedger(operator)).imbalances).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('many at once: the ledger balance, each id has moved once, and no bet was both paid and given back', async () => {
  const crowds = fc.array(fc.array(callArbitrary, { minLength: 1, maxLength: 8 }), { maxLength: 6, size: 'max' });
  await fc.assert(
    fc.asyncProperty(crowds, async (groups) => {
      const player = await operator.newPlayer();
      const slips = newSlips(player);
      for (const calls of groups) await Promise.all(calls.map((call) => send(player, slips, call)));

      const entries = (await journalOf(operator, player)).slice(1);
      expect(new Set(entries.map(({ transactionID }) => transactionID)).size).toBe(entries.length);
      for (const slip of slips) expectOneFate(slip, entries);
      const sum = entries.reduce((total, { amount }) => total + amount, OPENING_MICROS);
      expect(await player.balance()).toBe(sum);
      expect((await checkedLedger(operator)).imbalances).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

function expectOneFate({ bet, amount, payouts, creditIDs, rollbackIDs }: Slip, entries: Entry[]): void {
  const amountsOf = (ids: string[]) =>
    entries.filter(({ transactionID }) => ids.includes(transactionID)).map((entry) => entry.amount);
  const returns = amountsOf(rollbackIDs).filter((returned) => returned !== 0);
  const paid = amountsOf(creditIDs);
  const taken = amountsOf([bet.debitID]);
  expect([[], [-amount]]).toContainEqual(taken);
  expect([[], [amount]]).toContainEqual(returns);
  expect([[], [payouts[0]], [payouts[1]], payouts]).toContainEqual(paid);
  if (taken.length === 0) expect([...returns, ...paid]).toEqual([]);
  if (returns.length > 0) expect(paid).toEqual([]);
}
