import type { Grant } from '@roundhouse/sdk';
import { restable } from '../parts/buttons.tsx';
import { useUi } from '../uiContext.ts';
import { Meter } from './meters.tsx';

/**
 * Replaces the features while free rounds are played: how many are left, and what they have won. A
 * press on it says more.
 */
export function FreeRoundsBar({ grant }: { grant: Grant }) {
  const { model, actions, t, money, number } = useUi();
  const left = t('freeRoundsLeft', { left: number(grant.left), given: number(grant.given) });
  return (
    <div class="freeSpins freeRounds">
      <Meter kind="spinsMeter" label={t('freeRounds')} value={left} />
      <Meter kind="totalMeter" label={t('totalWin')} value={money(grant.won)} />
      <button
        type="button"
        class="cover"
        aria-label={t('freeRounds')}
        title={t('freeRounds')}
        aria-haspopup="dialog"
        aria-expanded={model.dialog.value?.kind === 'freeRounds'}
        {...restable({ isResting: !model.canStartAutoplay.value, onPress: actions.openFreeRounds })}
      />
    </div>
  );
}
