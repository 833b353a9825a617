import type { ModeTotals } from '../../store/watch/gameTotals.ts';
import { returnOf, roundsForOnePoint, tableTheory } from '../../watch/rtp/returns.ts';

/**
 * Times are ISO 8601. Amounts are micros. RTPs are fractions of 1; null without rounds, or without
 * a stored table. After about roundsForOnePoint rounds the interval is one point wide to either
 * side. The free* are the part of rounds, bets and payouts that the operator paid.
 */
export type RtpLine = Record<'game' | 'version' | 'mode' | 'currency', string> &
  Record<'rounds' | 'bets' | 'payouts' | 'freeRounds' | 'freeBets' | 'freePayouts', string> &
  Record<'voidRounds' | 'voidBets' | 'openRounds' | 'openBets' | 'openPayouts', string> &
  Record<'rtp' | 'theoreticalRtp' | 'zScore' | 'low' | 'high' | 'roundsForOnePoint', number | null> & {
    status: 'available' | 'withdrawn';
    availableSince: string;
    withdrawnAt: string | null;
  };

/** Compares what a mode returned with its lookup table. */
export function rtpLine(totals: ModeTotals): RtpLine {
  const { gameID, version, mode, currency, rounds, bets, payouts, voidRounds, voidBets, open, table } = totals;
  const { publishedAt, withdrawnAt, isWithdrawn, freeRounds, freeBets, freePayouts } = totals;
  const theory = tableTheory(table);
  const { tableRtp: theoreticalRtp, ...returned } = returnOf(totals, theory);
  return {
    game: gameID,
    version,
    mode,
    currency,
    rounds: `${rounds}`,
    bets: `${bets}`,
    payouts: `${payouts}`,
    ...returned,
    theoreticalRtp,
    voidRounds: `${voidRounds}`,
    voidBets: `${voidBets}`,
    openRounds: `${open.rounds}`,
    openBets: `${open.bets}`,
    openPayouts: `${open.payouts}`,
    status: isWithdrawn ? 'withdrawn' : 'available',
    availableSince: publishedAt.toISOString(),
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    roundsForOnePoint: roundsForOnePoint(totals, theory),
    freeRounds: `${freeRounds}`,
    freeBets: `${freeBets}`,
    freePayouts: `${freePayouts}`,
  };
}

/** The CSV has these columns, in this order. */
export const RTP_COLUMNS: readonly (keyof RtpLine)[] = [
  ...(['game', 'version', 'mode', 'currency', 'rounds', 'bets', 'payouts', 'rtp', 'theoreticalRtp'] as const),
  ...(['zScore', 'low', 'high', 'voidRounds', 'voidBets', 'openRounds', 'openBets', 'openPayouts'] as const),
  ...(['status', 'availableSince', 'withdrawnAt', 'roundsForOnePoint'] as const),
  ...(['freeRounds', 'freeBets', 'freePayouts'] as const),
];
