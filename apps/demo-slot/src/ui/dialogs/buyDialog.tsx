import { MODE_COST_HUNDREDTHS, type ModeName } from '../../../rules.ts';
import { SymbolArt } from '../parts/symbolArt.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

export function BuyDialog({ mode, costMicros }: { mode: ModeName; costMicros: number }) {
  const { model, actions, t, money, number } = useUi();
  const multiple = model.config.value?.betModes[mode]?.costMultiplier ?? MODE_COST_HUNDREDTHS[mode] / 100;
  return (
    <DialogFrame
      kind="askDialog buyDialog"
      title={t('buy')}
      actions={
        <>
          <TextButton onPress={actions.closeDialog}>{t('cancel')}</TextButton>
          <TextButton isMain isFirst onPress={actions.buyFeature}>
            {t('buyConfirm', { cost: money(costMicros) })}
          </TextButton>
        </>
      }
    >
      <div class="buyArt" aria-hidden="true">
        <SymbolArt symbol="S" />
        <SymbolArt symbol="S" />
        <SymbolArt symbol="S" />
      </div>
      <p class="question">{t('buyQuestion', { cost: money(costMicros) })}</p>
      <p>{t('buyNote', { multiple: number(multiple), bet: money(model.betMicros.value) })}</p>
    </DialogFrame>
  );
}
