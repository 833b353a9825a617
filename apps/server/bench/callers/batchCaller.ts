import { toMicros } from '@roundhouse/contract';
import type { Ledger } from '../../dist/ledger/ledger.js';
import { BET_AMOUNT, type BenchPlayer, type Caller } from '../workload.ts';

/** The server's own ledger, batches and all, without the HTTP in front of it: one play of mode LOSE. */
export function batchCaller(ledger: Ledger, { number }: BenchPlayer): Caller {
  const bet = {
    playerID: BigInt(number),
    sessionRowID: BigInt(number),
    mode: 'LOSE',
    costMultiplier: '1',
    amount: toMicros(BET_AMOUNT),
    debit: toMicros(BET_AMOUNT),
    bookID: 1,
    payoutMultiplier: 0n,
    payout: toMicros(0),
    autoClose: true,
    minimumRoundDurationMs: 0,
    playKey: undefined,
    betRefused: false,
    walletDown: false,
  };
  const play = async () => {
    const opened = await ledger.openRound(bet);
    if (!opened.ok) throw new Error(`refused: ${opened.refusal}`);
  };
  return { calls: [play], close: async () => {} };
}
