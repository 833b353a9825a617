import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LeaveTarget, SessionSums } from '../../game/model.ts';
import { TextButton } from '../parts/buttons.tsx';
import { TextLink } from '../parts/textLink.tsx';
import { useUi } from '../uiContext.ts';
import { AskDialog, DialogFrame } from './dialogFrame.tsx';

/** Shown before the player leaves a running round: the round is kept. */
export function LeaveDialog({ to }: { to: LeaveTarget }) {
  const { actions, t } = useUi();
  return (
    <AskDialog title={t('leaveGame')} confirm={t('leaveGame')} onConfirm={() => actions.leaveTo(to)}>
      <p class="question">{t('rulesInterrupted')}</p>
    </AskDialog>
  );
}

/**
 * Shows what the player has done so far, to be acknowledged. The text has the focus at first: a
 * space bar that is pressed to spin must not acknowledge what nobody has read.
 */
export function RealityCheckDialog({ elapsedMs, stakedMicros, paidMicros, netMicros }: SessionSums) {
  const { model, actions, t, money, duration } = useUi();
  const text = useRef<HTMLDivElement>(null);
  const { historyURL, responsibleGamblingURL } = model.pages;

  useLayoutEffect(() => {
    if (text.current) text.current.autofocus = true;
  }, []);

  return (
    <DialogFrame
      kind="askDialog"
      title={t('realityCheck')}
      isAlert
      canClose={false}
      actions={
        <>
          <TextButton onPress={() => actions.leaveTo('returnURL')}>{t('leaveGame')}</TextButton>
          <TextButton isMain onPress={actions.acknowledge}>
            {t('continuePlaying')}
          </TextButton>
        </>
      }
    >
      <div ref={text} class="firstFocus" tabIndex={-1}>
        <p class="question">{t('realityCheckNote')}</p>
        <dl class="summary">
          <Sum name={t('sessionTime')} value={duration(elapsedMs)} />
          <Sum name={t('totalStaked')} value={money(stakedMicros)} />
          <Sum name={t('totalWin')} value={money(paidMicros)} />
          <Sum name={t('netPosition')} value={money(netMicros)} />
        </dl>
      </div>
      <p class="links">
        {model.permissions.value.history && (
          <button type="button" class="link" onClick={() => actions.openDialog('history')}>
            {t('history')}
          </button>
        )}
        <TextLink href={historyURL}>{t('accountHistory')}</TextLink>
        <TextLink href={responsibleGamblingURL}>{t('responsibleGambling')}</TextLink>
      </p>
    </DialogFrame>
  );
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
