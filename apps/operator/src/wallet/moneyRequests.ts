import {
  type CloseRoundsRequest,
  type CloseRoundsResponse,
  type CreditRequest,
  type DebitRequest,
  type RollbackRequest,
  toMicros,
} from '@roundhouse/contract';
import { sha256 } from '../ledger/sessions.ts';
import { type Outcome, outcomeOf, refused } from './outcome.ts';
import type { WalletDeps } from './session.ts';

/** Takes a bet; prisma/functions/take_bet.sql has the rules. */
export async function debit({ ledger, rules }: WalletDeps, { sessionID, ...request }: DebitRequest): Promise<Outcome> {
  if (!isPaidOrFree(request)) return refused('free_bet_incomplete');
  return outcomeOf(await ledger.walletTransactions.takeBet({ ...request, sessionSha256: sha256(sessionID), ...rules }));
}

/**
 * A free round costs 0 and names its grant and the price of its bet. Any other round costs money.
 */
function isPaidOrFree({ amount, grantID, freeBet }: Pick<DebitRequest, 'amount' | 'grantID' | 'freeBet'>): boolean {
  const isFree = amount === 0;
  return (grantID !== undefined) === isFree && (freeBet !== undefined) === isFree;
}

/**
 * Pays a round, completes it with 0, or pays the winnings of a grant;
 * prisma/functions/pay_round.sql has the rules.
 */
export async function credit({ ledger }: Pick<WalletDeps, 'ledger'>, request: CreditRequest): Promise<Outcome> {
  return outcomeOf(await ledger.walletTransactions.payRound(request));
}

/** Closes losing rounds. Each closing is the credit of 0 with its id, and has its own result. */
export async function closeRounds(
  { ledger }: Pick<WalletDeps, 'ledger'>,
  { rounds }: CloseRoundsRequest,
): Promise<CloseRoundsResponse['results']> {
  const closed = { amount: toMicros(0), roundClosed: true };
  const rows = await ledger.walletTransactions.payRounds(rounds.map((closing) => ({ ...closing, ...closed })));
  return rows.map((row, index) => {
    const transactionID = rounds[index]?.transactionID ?? '';
    const outcome = outcomeOf(row);
    return outcome.ok ? { transactionID } : { transactionID, error: outcome.code, message: outcome.message };
  });
}

/** Rolls a bet back; prisma/functions/return_bet.sql has the rules. */
export async function rollback({ ledger }: Pick<WalletDeps, 'ledger'>, request: RollbackRequest): Promise<Outcome> {
  return outcomeOf(await ledger.walletTransactions.returnBet(request));
}
