import type { HistoryResponse, HistoryRound } from '@roundhouse/contract';
import type { Outcome } from '../../base/refusal.ts';
import type { PastRound } from '../../ledger/commands.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Catalogue } from '../games/catalogue.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { displayMultiplier } from './round.ts';

type HistoryDeps = { ledger: Pick<Ledger, 'readHistory'>; catalogue: Pick<Catalogue, 'modeName'> };

/** Reads a page of the player's rounds in the session's game and currency, newest first. */
export async function readHistory(
  { ledger, catalogue }: HistoryDeps,
  { playerID, sessionRowID, gameID, trace }: Pick<BearerSession, 'playerID' | 'sessionRowID' | 'gameID' | 'trace'>,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<Outcome<{ page: HistoryResponse }>> {
  // One round more than the limit shows that there is another page.
  const outcome = await ledger.readHistory({ playerID, sessionRowID, before, most: limit + 1 }, trace);
  if (!outcome.ok) return outcome;
  const rounds = outcome.rounds.slice(0, limit);
  const next = outcome.rounds.length > limit ? (rounds.at(-1)?.roundID ?? null) : null;
  const nameOf = ({ gameVersion, mode }: PastRound) => catalogue.modeName({ gameID, version: gameVersion, mode });
  return { ok: true, page: { rounds: rounds.map((round) => historyRound(round, nameOf(round))), next } };
}

/**
 * Shows the book of a completed round only. Nobody may see the outcome of a round that is still
 * open, or of a void one.
 */
function historyRound(round: PastRound, mode: string): HistoryRound {
  const { isVoid, endedAt, balanceBefore } = round;
  return {
    betID: round.roundID,
    gameVersion: round.gameVersion,
    mode,
    amount: round.amount,
    costMultiplier: Number(round.costMultiplier),
    payout: isVoid ? 0 : round.payout,
    payoutMultiplier: isVoid ? 0 : displayMultiplier(round.payoutMultiplier),
    ...(balanceBefore !== null && { balanceBefore }),
    active: endedAt === null,
    ...(isVoid && { void: true }),
    ...(round.grantID !== null && { grantID: round.grantID }),
    startedAt: round.openedAt.toISOString(),
    endedAt: endedAt === null ? null : endedAt.toISOString(),
    ...(round.fairness && { fairness: round.fairness }),
    ...(endedAt !== null && !isVoid && { bookID: round.bookID }),
  };
}
