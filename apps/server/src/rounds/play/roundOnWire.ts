import {
  buildReplayUrl,
  type ConfiguredCurrency,
  DEFAULT_LANGUAGE,
  type OperatorRound,
  type RoundTransaction,
} from '@roundhouse/contract';
import type { Address } from '../../base/address.ts';
import type { OperatorRoundRecord } from '../../store/operators/operatorRounds.ts';
import type { RoundDetailRecord } from '../../store/operators/roundDetail.ts';

const HUNDREDTHS = 100;

/** Returns a round as operators read it. */
export function roundOnWire(round: OperatorRoundRecord, replayURL: string | null): OperatorRound {
  const { roundID, externalID, gameID, gameVersion, mode, currency, amount, debit, free, payout, state } = round;
  return {
    betID: Number(roundID),
    playerID: externalID,
    gameID,
    gameVersion,
    mode,
    currency,
    amount,
    debit,
    ...(free && { grantID: free.grantID, freeBet: free.bet }),
    payout,
    state,
    openedAt: round.openedAt.toISOString(),
    closedAt: round.closedAt?.toISOString() ?? null,
    autoCompletedAt: round.autoCompletedAt?.toISOString() ?? null,
    interrupted: round.isInterrupted,
    sessionNumber: Number(round.sessionRowID),
    country: round.country,
    bookID: round.bookID,
    payoutMultiplier: Number(round.payoutMultiplier) / HUNDREDTHS,
    ...(round.fairness && { fairness: round.fairness }),
    replayURL,
  };
}

/** Returns one of its wallet transactions as operators read it. */
export function transactionOnWire(transaction: RoundDetailRecord['transactions'][number]): RoundTransaction {
  const { transactionID, kind, amount, state, attempts, lastResponse, reference } = transaction;
  return {
    transactionID,
    kind,
    amount,
    state,
    attempts,
    lastResponse,
    reference,
    createdAt: transaction.createdAt.toISOString(),
    settledAt: transaction.settledAt?.toISOString() ?? null,
    lastResponseAt: transaction.lastResponseAt?.toISOString() ?? null,
    nextAttemptAt: transaction.nextAttemptAt?.toISOString() ?? null,
  };
}

/**
 * Returns the URL of a replay. A back office or an auditor opens it, so it has no language and
 * device of the player.
 */
export function replayUrl(
  { url, rgsUrl }: Address,
  { gameID, gameVersion, mode, bookID, amount, currency }: OperatorRoundRecord,
  currencyFacts?: ConfiguredCurrency,
): string {
  return buildReplayUrl({
    gameHost: url,
    rgsUrl,
    language: DEFAULT_LANGUAGE,
    device: 'desktop',
    currency,
    game: gameID,
    version: gameVersion,
    mode,
    event: String(bookID),
    amount,
    ...(currencyFacts && { currencyFacts }),
  });
}
