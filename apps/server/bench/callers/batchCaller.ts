import { toMicros } from '@roundhouse/contract';
import type { Ledger } from '../../dist/ledger/ledger.js';
import { BET_AMOUNT, type BenchPlayer, type Caller, MODE_OF, PAYOUT_MULTIPLIER, type Workload } from '../workload.ts';

/** The server's own ledger, batches and all, without the HTTP in front of it. */
export function batchCaller(ledger: Ledger, { player, workload }: { player: BenchPlayer; workload: Workload }): Caller {
  const { playerID, sessionRowID } = player;
  const mode = MODE_OF[workload];
  const multiplier = PAYOUT_MULTIPLIER[mode];
  const bet = {
    playerID,
    sessionRowID,
    mode,
    costMultiplier: '1',
    amount: toMicros(BET_AMOUNT),
    debit: toMicros(BET_AMOUNT),
    bookID: 1,
    payoutMultiplier: BigInt(multiplier),
    payout: toMicros((BET_AMOUNT * multiplier) / 100),
    autoClose: workload === 'play',
    minimumRoundDurationMs: 0,
    playKey: undefined,
    betRefused: false,
    walletDown: false,
  };
  return {
    play: async () => expectOk(await ledger.openRound(bet)),
    endRound: async () => expectOk(await ledger.closeRound({ playerID, sessionRowID })),
    close: async () => {},
  };
}

function expectOk(outcome: { ok: true } | { ok: false; refusal: string }): void {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`);
}
