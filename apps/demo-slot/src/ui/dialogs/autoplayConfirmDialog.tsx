import type { AutoplaySettings } from '../../game/model.ts';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

/** The confirmation before autoplay: number of rounds, stake, and limits. */
export function AutoplayConfirmDialog({ settings }: { settings: AutoplaySettings }) {
  const { model, actions, t, money } = useUi();
  const limit = (micros: number | undefined) => (micros === undefined ? t('noLimit') : money(micros));
  return (
    <DialogFrame
      kind="askDialog"
      title={t('autoplay')}
      actions={
        <>
          <TextButton onPress={actions.closeDialog}>{t('cancel')}</TextButton>
          <TextButton isMain isFirst onPress={() => actions.startAutoplay(settings)}>
            {t('autoplayStart')}
          </TextButton>
        </>
      }
    >
      <p class="question">{t('autoplayQuestion', { count: settings.spins, bet: money(model.stakeMicros.value) })}</p>
      <dl class="summary">
        <div>
          <dt>{t('autoplayLossLimit')}</dt>
          <dd>{limit(settings.lossLimitMicros)}</dd>
        </div>
        <div>
          <dt>{t('autoplayWinLimit')}</dt>
          <dd>{limit(settings.singleWinLimitMicros)}</dd>
        </div>
        {settings.stopOnFreeSpins && (
          <div>
            <dt>{t('autoplayStopOnFreeSpins')}</dt>
            <dd aria-hidden="true">✓</dd>
          </div>
        )}
      </dl>
    </DialogFrame>
  );
}
