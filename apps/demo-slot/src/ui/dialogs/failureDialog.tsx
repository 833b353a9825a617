import type { Dialog } from '../../game/model.ts';
import { Icon } from '../parts/icon.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { FAILURE_TEXTS, REMEDY_TEXTS } from './failureTexts.ts';

type Failure = Extract<Dialog, { kind: 'failure' }>;

export function FailureDialog({ failure, remedy, requestId }: Omit<Failure, 'kind'>) {
  const { actions, t } = useUi();
  const { title, note } = FAILURE_TEXTS[failure];
  return (
    <DialogFrame
      kind="askDialog failureDialog"
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
      <span class="failureMark">
        <Icon name="warning" />
      </span>
      <p class="question">{t(note)}</p>
      {requestId !== undefined && <p class="reference">{t('requestId', { id: requestId })}</p>}
    </DialogFrame>
  );
}
