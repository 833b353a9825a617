import type { Micros } from '@roundhouse/contract';
import { nullableMicros, type RecordOf, rowShape } from '../database/rowShape.ts';

/** Limits in the currency of an account, as they are now; null for none. */
export type AccountLimits = {
  operator: { maxBet: Micros | null; dailyWager: Micros | null; dailyLoss: Micros | null };
  player: { dailyWager: Micros | null; dailyLoss: Micros | null };
};

/** The columns are those of `operator_limits l` and `accounts a`. */
export const LIMITS = rowShape({
  maxBet: nullableMicros('l.max_bet_micros'),
  operatorWager: nullableMicros('l.daily_wager_limit_micros'),
  operatorLoss: nullableMicros('l.daily_loss_limit_micros'),
  playerWager: nullableMicros('a.daily_wager_limit_micros'),
  playerLoss: nullableMicros('a.daily_loss_limit_micros'),
});

export function limitsOf(stored: RecordOf<typeof LIMITS>): AccountLimits {
  const { maxBet, operatorWager, operatorLoss, playerWager, playerLoss } = stored;
  return {
    operator: { maxBet, dailyWager: operatorWager, dailyLoss: operatorLoss },
    player: { dailyWager: playerWager, dailyLoss: playerLoss },
  };
}
