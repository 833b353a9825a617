import type { AutoplayStop } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

const REASONS: Readonly<Record<AutoplayStop, TextKey>> = {
  lossLimit: 'autoplayStoppedLoss',
  singleWinLimit: 'autoplayStoppedWin',
  freeSpins: 'autoplayStoppedFreeSpins',
};

export function NoticeDialog({ why }: { why: AutoplayStop }) {
  const { actions, t } = useUi();
  return (
    <DialogFrame
      kind="askDialog"
      title={t('autoplayStopped')}
      actions={
        <TextButton isMain isFirst onPress={actions.closeDialog}>
          {t('confirm')}
        </TextButton>
      }
    >
      <p class="question">{t(REASONS[why])}</p>
    </DialogFrame>
  );
}
