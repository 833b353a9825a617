import { Meter } from '../parts/meter.tsx';
import { useUi } from '../uiContext.ts';

export function BalanceMeter() {
  const { model, t, money } = useUi();
  const balance = model.balanceMicros.value;
  return balance === undefined ? null : <Meter kind="balance" label={t('balance')} value={money(balance)} />;
}

export function WinMeter() {
  const { model, t, money } = useUi();
  const win = model.winMicros.value;
  return <Meter kind={win > 0 ? 'winMeter lit' : 'winMeter'} label={t('win')} value={money(win)} />;
}
