import { MODE_COST_HUNDREDTHS, type ModeName } from '../../../rules.ts';
import { costOf } from '../../game/bets/betChoice.ts';
import type { GameModel } from '../../game/model.ts';
import { paidMicros } from '../../game/money.ts';

/**
 * What a mode costs at the player's bet, in micros: from the config; in a replay, which has none,
 * from the rules.
 */
export function costOfMode({ betMicros, config }: Pick<GameModel, 'betMicros' | 'config'>, mode: ModeName): number {
  const bet = betMicros.value;
  return (
    costOf(config.value, { betMicros: bet, mode }) ??
    paidMicros({ betMicros: bet, hundredths: MODE_COST_HUNDREDTHS[mode] })
  );
}

/** Whether the player may choose the mode: the config has it and the jurisdiction allows it. */
export function isModeOffered(
  { config, permissions }: Pick<GameModel, 'config' | 'permissions'>,
  mode: ModeName,
): boolean {
  const served = config.value?.betModes[mode];
  if (!served) return false;
  return permissions.value.buyFeature || !served.feature;
}
