import type { GameModel } from '../../game/model.ts';

/**
 * What the big button does now. `waiting`: a round runs and cannot be hurried; `resting`: no round
 * can begin at the moment.
 */
export type SpinState = 'stopAutoplay' | 'spin' | 'stop' | 'skip' | 'waiting' | 'resting';

type Facts = Pick<GameModel, 'autoplay' | 'canSpin' | 'canStop' | 'phase'>;

export function spinStateOf({ autoplay, canSpin, canStop, phase }: Facts): SpinState {
  const isRoundRunning = phase.value === 'spinning' || phase.value === 'presenting';
  if (autoplay.value) return 'stopAutoplay';
  if (canSpin.value) return 'spin';
  if (canStop.value) return phase.value === 'presenting' ? 'skip' : 'stop';
  return isRoundRunning ? 'waiting' : 'resting';
}
