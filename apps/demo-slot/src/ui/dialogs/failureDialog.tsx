import type { Dialog, FailureKind, FailureRemedy } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import { Icon } from '../parts/art.tsx';
import { TextButton } from '../parts/buttons.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

type Failure = Extract<Dialog, { kind: 'failure' }>;

/** These say what has happened and what the player can do. */
const FAILURE_TEXTS: Readonly<Record<FailureKind, { title: TextKey; note: TextKey }>> = {
  sessionOver: { title: 'failureSessionOver', note: 'failureSessionOverNote' },
  otherGame: { title: 'failureSessionOver', note: 'failureOneGameNote' },
  otherTab: { title: 'failureOtherTab', note: 'failureOtherTabNote' },
  left: { title: 'leftGame', note: 'leftGameNote' },
  insufficientFunds: { title: 'failureInsufficientFunds', note: 'failureInsufficientFundsNote' },
  limitReached: { title: 'failureLimitReached', note: 'failureLimitReachedNote' },
  notAllowedHere: { title: 'failureNotAllowedHere', note: 'failureNotAllowedHereNote' },
  noDemo: { title: 'failureNotAllowedHere', note: 'failureNoDemoNote' },
  maintenance: { title: 'failureMaintenance', note: 'failureMaintenanceNote' },
  serverFailure: { title: 'failureServerFailure', note: 'failureServerFailureNote' },
  noNetwork: { title: 'failureNoNetwork', note: 'failureNoNetworkNote' },
  badRequest: { title: 'failureBadRequest', note: 'failureBadRequestNote' },
  openElsewhere: { title: 'failureOpenElsewhere', note: 'failureOpenElsewhereNote' },
  badLaunch: { title: 'failureBadLaunch', note: 'failureBadLaunchNote' },
  replayNotFound: { title: 'failureReplayNotFound', note: 'failureReplayNotFoundNote' },
  noWebGl: { title: 'failureNoWebGl', note: 'failureNoWebGlNote' },
};

/** The button has this label. A failure without a remedy here has none. */
const REMEDY_TEXTS: Readonly<Record<Exclude<FailureRemedy, 'none'>, TextKey>> = {
  again: 'tryAgain',
  close: 'close',
  resume: 'continuePlaying',
  reload: 'reload',
  playHere: 'playHere',
};

export function FailureDialog({ failure, remedy, requestId }: Omit<Failure, 'kind'>) {
  const { model, actions, t, money } = useUi();
  const { pages } = model;
  const affordable = model.affordableBetMicros.value;
  const { title, note } = FAILURE_TEXTS[failure];
  // Play money cannot be added to.
  const isPlayMoney = model.isFunMode && failure === 'insufficientFunds';
  return (
    <DialogFrame
      kind="askDialog failureDialog"
      title={t(title)}
      isAlert
      canClose={remedy === 'close'}
      actions={
        remedy === 'none' ? (
          pages.returnURL !== undefined && (
            <TextButton isMain isFirst onPress={() => actions.leaveTo('returnURL')}>
              {t('home')}
            </TextButton>
          )
        ) : (
          <>
            <TextButton isMain={affordable === undefined} isFirst onPress={actions.remedy}>
              {t(REMEDY_TEXTS[remedy])}
            </TextButton>
            {failure === 'insufficientFunds' && pages.cashierURL !== undefined && (
              <TextButton onPress={() => actions.leaveTo('cashierURL')}>{t('cashier')}</TextButton>
            )}
            {affordable !== undefined && (
              <TextButton isMain onPress={actions.takeAffordableBet}>
                {t('lowerBetTo', { bet: money(affordable) })}
              </TextButton>
            )}
          </>
        )
      }
    >
      {failure !== 'left' && (
        <span class="failureMark">
          <Icon name="warning" />
        </span>
      )}
      <p class="question">{t(isPlayMoney ? 'failurePlayMoneyNote' : note)}</p>
      {isPlayMoney && remedy === 'reload' && <p>{t('failurePlayMoneyAgain')}</p>}
      {requestId !== undefined && <p class="reference">{t('requestId', { id: requestId })}</p>}
    </DialogFrame>
  );
}
