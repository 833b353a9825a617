import type { Dialog } from '../../game/model.ts';
import { Icon } from '../parts/icon.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { REMEDY_TEXTS, TROUBLE_TEXTS } from './troubleTexts.ts';

type Trouble = Extract<Dialog, { kind: 'trouble' }>;

export function TroubleDialog({ trouble, remedy, requestId }: Omit<Trouble, 'kind'>) {
  const { actions, t } = useUi();
  const { title, note } = TROUBLE_TEXTS[trouble];
  return (
    <DialogFrame
      kind="askDialog troubleDialog"
      title={t(title)}
      isAlert
      canClose={remedy === 'close'}
      actions={
        remedy !== 'none' && (
          <TextButton isMain isFirst onPress={actions.remedy}>
            {t(REMEDY_TEXTS[remedy])}
          </TextButton>
        )
      }
    >
      <span class="troubleMark">
        <Icon name="warning" />
      </span>
      <p class="question">{t(note)}</p>
      {requestId !== undefined && <p class="reference">{t('requestId', { id: requestId })}</p>}
    </DialogFrame>
  );
}
