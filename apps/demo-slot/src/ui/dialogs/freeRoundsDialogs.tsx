import type { Grant } from '@roundhouse/sdk';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MODES, type ModeName } from '../../../rules.ts';
import { endTextOf } from '../../texts/texts.ts';
import { TextButton } from '../parts/buttons.tsx';
import { SummaryLine } from '../parts/summaryLine.tsx';
import { useUi } from '../uiContext.ts';
import { AskDialog, DialogFrame } from './dialogFrame.tsx';
import { MODE_NAMES } from './infoDialog.tsx';

/**
 * Offers free rounds, or says what is left of them. The text has the focus at first: a space bar
 * that is pressed to spin must not accept what nobody has read.
 */
export function FreeRoundsDialog({ grant }: { grant: Grant }) {
  const { model, actions, t, money, moment } = useUi();
  const text = useRef<HTMLDivElement>(null);
  const isCurrent = model.grant.value?.grantID === grant.grantID;
  const isResting = model.deciding.value;
  const mode = MODES.find((name): name is ModeName => name === grant.mode);

  useLayoutEffect(() => {
    text.current?.focus();
  }, []);

  return (
    <DialogFrame
      kind="askDialog freeRoundsDialog"
      title={t('freeRoundsOffer', { count: grant.left })}
      onClose={actions.keepFreeRounds}
      actions={
        <>
          <TextButton isResting={isResting} onPress={actions.askDeclineFreeRounds}>
            {t('freeRoundsDecline')}
          </TextButton>
          {!grant.automatic && (
            <TextButton isResting={isResting} onPress={actions.keepFreeRounds}>
              {t('freeRoundsLater')}
            </TextButton>
          )}
          <TextButton isMain isResting={isResting} onPress={actions.acceptFreeRounds}>
            {t(isCurrent ? 'continuePlaying' : 'freeRoundsAccept')}
          </TextButton>
        </>
      }
    >
      <div ref={text} class="firstFocus" tabIndex={-1}>
        <p class="freeRoundsMedal" aria-hidden="true">
          <span class="medal">{grant.left}</span>
        </p>
        <p class="question">{t('freeRoundsNote')}</p>
        {grant.paidAtEnd && <p>{t('freeRoundsPaidAtEnd')}</p>}
        <dl class="summary">
          <SummaryLine name={t('bet')} value={money(grant.amount)} />
          {mode && mode !== 'BASE' && <SummaryLine name={t('modeName')} value={t(MODE_NAMES[mode])} />}
          {grant.used > 0 && <SummaryLine name={t('totalWin')} value={money(grant.won)} />}
          <SummaryLine name={t('freeRoundsUntil')} value={moment(Date.parse(grant.expiresAt))} />
        </dl>
      </div>
    </DialogFrame>
  );
}

/** Asks before the free rounds are gone. */
export function FreeRoundsDeclineDialog() {
  const { actions, t } = useUi();
  return (
    <AskDialog title={t('freeRounds')} confirm={t('freeRoundsDecline')} onConfirm={actions.declineFreeRounds}>
      <p class="question">{t('freeRoundsDeclineQuestion')}</p>
    </AskDialog>
  );
}

/** How the free rounds have ended and what they have won, and what the next spin is. */
export function FreeRoundsEndDialog({ grant }: { grant: Grant }) {
  const { actions, t, money, number } = useUi();
  const text = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    text.current?.focus();
  }, []);

  return (
    <DialogFrame
      kind="askDialog freeRoundsDialog"
      title={t(endTextOf(grant))}
      onClose={actions.closeFreeRoundsEnd}
      actions={
        <TextButton isMain onPress={actions.closeFreeRoundsEnd}>
          {t('continuePlaying')}
        </TextButton>
      }
    >
      <div ref={text} class="firstFocus" tabIndex={-1}>
        {grant.used > 0 && (
          <p class="freeRoundsWon">
            <span>{t('totalWin')}</span> <bdi>{money(grant.won)}</bdi>
          </p>
        )}
        <dl class="summary">
          <SummaryLine
            name={t('freeRoundsPlayed')}
            value={t('spinOf', { spin: number(grant.used), total: number(grant.given) })}
          />
        </dl>
        <p class="freeRoundsNext">{t('freeRoundsNext')}</p>
      </div>
    </DialogFrame>
  );
}
