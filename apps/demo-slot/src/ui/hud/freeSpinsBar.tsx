import type { FreeSpinsShown } from '../../game/model.ts';
import { Meter } from '../parts/meter.tsx';
import { useUi } from '../uiContext.ts';

/** In place of the features during free spins: their number and what they have paid. */
export function FreeSpinsBar({ shown }: { shown: FreeSpinsShown }) {
  const { t, money, number } = useUi();
  const spins = t('spinOf', { spin: number(shown.spin), total: number(shown.totalSpins) });
  return (
    <div class="freeSpins">
      <Meter kind="spinsMeter" label={t('freeSpins')} value={spins} />
      <Meter kind="multiplierMeter" label={t('multiplier')} value={`${number(shown.multiplier)}×`} />
      <Meter kind="totalMeter" label={t('totalWin')} value={money(shown.winMicros)} />
    </div>
  );
}
