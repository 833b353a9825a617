import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Answer, PlayerCalls } from './walletClient.ts';

const BETS = 3;
const IDS_PER_KIND = 2;

/** One call about one of a few bets. Each id has one content, so a call that comes again is a repetition. */
export type Call = {
  kind: 'debit' | 'credit' | 'rollback';
  bet: number;
  /** Which of the ids that credits or rollbacks of this bet have. */
  id: number;
};

export const callArbitrary: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom('debit', 'credit', 'rollback'),
  bet: fc.nat({ max: BETS - 1 }),
  id: fc.nat({ max: IDS_PER_KIND - 1 }),
});

export type Slip = ReturnType<typeof newSlip>;

/** A bet with all of its ids and amounts. Of its two credits the first leaves the round open. */
function newSlip(player: PlayerCalls, number: number) {
  const bet = player.newBet();
  const ids = () => Array.from({ length: IDS_PER_KIND }, () => randomUUID());
  return { bet, amount: 1_000_000 + number, payouts: [0, 3_000_000 + number], creditIDs: ids(), rollbackIDs: ids() };
}

export function newSlips(player: PlayerCalls): Slip[] {
  return Array.from({ length: BETS }, (_, number) => newSlip(player, number));
}

export function send(player: PlayerCalls, slips: Slip[], { kind, bet: number, id }: Call): Promise<Answer> {
  const { bet, amount, payouts, creditIDs, rollbackIDs } = slips[number] as Slip;
  if (kind === 'debit') return player.debit(bet, amount);
  if (kind === 'rollback') return player.rollback(bet, { transactionID: rollbackIDs[id] });
  return player.credit(bet, payouts[id], { transactionID: creditIDs[id], roundClosed: id > 0 });
}

export type Entry = { kind: string; amount: number; transactionID: string };

/** The rules of docs/wallet-protocol.md as a simple model, for one request after the other. */
export function newModel(slips: Slip[]) {
  const entries: Entry[] = [];
  const find = (transactionID: string | undefined) => entries.find((entry) => entry.transactionID === transactionID);
  const write = (kind: Call['kind'], transactionID: string | undefined, amount: number) => {
    entries.push({ kind, amount, transactionID: transactionID as string });
    return 'done';
  };
  return {
    entries,
    expect({ kind, bet: number, id }: Call): string {
      const { bet, amount, payouts, creditIDs, rollbackIDs } = slips[number] as Slip;
      const taken = find(bet.debitID) !== undefined;
      const rollbacks = rollbackIDs.filter((rollbackID) => find(rollbackID) !== undefined);
      const wasPaid = creditIDs.some((creditID) => find(creditID) !== undefined);
      if (kind === 'debit') {
        if (taken) return 'done';
        return rollbacks.length > 0 ? 'ERR_VAL' : write(kind, bet.debitID, -amount);
      }
      if (kind === 'credit') {
        if (find(creditIDs[id]) !== undefined) return 'done';
        if (!taken) return 'ERR_BNF';
        const isClosed = find(creditIDs[1]) !== undefined;
        return rollbacks.length > 0 || isClosed ? 'ERR_VAL' : write(kind, creditIDs[id], payouts[id] as number);
      }
      const isKnown = find(rollbackIDs[id]) !== undefined;
      if (!taken) {
        if (!isKnown) write(kind, rollbackIDs[id], 0);
        return 'ERR_BNF';
      }
      if (isKnown) return 'done';
      return wasPaid ? 'ERR_VAL' : write(kind, rollbackIDs[id], rollbacks.length > 0 ? 0 : amount);
    },
  };
}
