import { randomUUID } from 'node:crypto';
import type { CreditRequest, DebitRequest, RollbackRequest } from '@roundhouse/contract';
import { expectSuccess } from './expectations.ts';
import { NotTestable } from './verdicts.ts';
import { playerOf, type WalletUnderTest } from './walletUnderTest.ts';

/** No check has more than this many bets under way. */
export const BETS_AT_ONCE = 4;
/** Different calls at once meet in the wallet often, not always: each such race is run so many times. */
export const RACES = 3;

/** A debit that no wallet has seen, of a round of its own. */
export function newDebit(wallet: WalletUnderTest): DebitRequest {
  const { balance } = playerOf(wallet);
  const { bet } = wallet.facts;
  if (BigInt(balance) < BigInt(bet) * BigInt(BETS_AT_ONCE)) {
    throw new NotTestable(`the player's balance of ${balance} micros is less than ${BETS_AT_ONCE} bets of ${bet}`);
  }
  return anyDebit(wallet);
}

function anyDebit(wallet: WalletUnderTest): DebitRequest {
  const { playerID, currency } = playerOf(wallet);
  const { bet, sessionID, gameID } = wallet.facts;
  return {
    transactionID: randomUUID(),
    roundID: wallet.newRoundID(),
    sessionID,
    playerID,
    gameID,
    // What the wallet said, whatever it is: authenticate.shape judges it.
    currency: currency as DebitRequest['currency'],
    amount: bet,
    mode: 'BASE',
  };
}

/** The credit that closes the debit's round. `amount`: in micros, 0 or more. */
export function creditOf(debit: DebitRequest, amount: number): CreditRequest {
  return { ...answerTo(debit), amount, roundClosed: true };
}

export function rollbackOf(debit: DebitRequest): RollbackRequest {
  return { ...answerTo(debit), reason: 'wallet-check' };
}

function answerTo({ transactionID, roundID, playerID, gameID, currency }: DebitRequest) {
  return { transactionID: randomUUID(), debitTransactionID: transactionID, roundID, playerID, gameID, currency };
}

/** Gives back, where the wallet lets it, a debit that may lack what no debit should. */
export async function rollBack(wallet: WalletUnderTest, debit: Partial<DebitRequest>): Promise<void> {
  await wallet.call('rollback', rollbackOf({ ...anyDebit(wallet), ...debit }));
}

/** Takes a bet, which must succeed. */
export async function openRound(wallet: WalletUnderTest): Promise<DebitRequest> {
  const debit = newDebit(wallet);
  expectSuccess(await wallet.call('debit', debit));
  return debit;
}
