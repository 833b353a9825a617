import { MODES, type ModeName } from '../../../rules.ts';
import type { HistoryLine } from '../../game/model.ts';
import { Icon } from '../parts/art.tsx';
import { TextButton } from '../parts/buttons.tsx';
import { RoundCheck } from '../parts/roundCheck.tsx';
import { TextLink } from '../parts/textLink.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { MODE_NAMES } from './infoDialog.tsx';

/** Shows the player's rounds, newest first. A press on one replays it. */
export function HistoryDialog({ canReplay }: { canReplay: boolean }) {
  const { model, t } = useUi();
  const { lines, state } = model.history.value ?? { lines: [], state: 'loading' };
  const isEmpty = lines.length === 0 && state === 'complete';
  return (
    <DialogFrame kind="historyDialog" title={t('history')}>
      {isEmpty && <p class="question">{t('historyEmpty')}</p>}
      {canReplay && lines.length > 0 && <p class="historyNote">{t('historyNote')}</p>}
      <ol class="historyList">
        {lines.map((line) => (
          <li key={line.betID}>
            <Round line={line} canReplay={canReplay && line.canReplay} />
            {line.fair && <RoundCheck betID={line.betID} name={t('fairCheck')} isHidden={line.fair === 'hidden'} />}
          </li>
        ))}
      </ol>
      <More />
      <p class="links">
        <TextLink href={model.pages.historyURL}>{t('accountHistory')}</TextLink>
      </p>
    </DialogFrame>
  );
}

/** Shows below the list what is being done, what has failed, or the next page. */
function More() {
  const { model, actions, t } = useUi();
  const state = model.history.value?.state;
  return (
    <div class="historyMore">
      <p role="status">
        {state === 'loading' && t('loading')}
        {state === 'failed' && t('historyFailed')}
      </p>
      {state === 'more' && <TextButton onPress={actions.moreHistory}>{t('historyMore')}</TextButton>}
      {state === 'failed' && (
        <TextButton isMain onPress={actions.moreHistory}>
          {t('tryAgain')}
        </TextButton>
      )}
    </div>
  );
}

function Round({ line, canReplay }: { line: HistoryLine; canReplay: boolean }) {
  const { actions, t, money, moment } = useUi();
  const mode = MODES.find((name): name is ModeName => name === line.mode);
  const content = (
    <>
      <span class="historyHead">
        <time dateTime={new Date(line.startedAtMs).toISOString()}>{moment(line.startedAtMs)}</time>
        {line.isFree && <span class="fact mark historyFree">{t('freeRound')}</span>}
        <span class="historyMode">
          {mode ? t(MODE_NAMES[mode]) : line.mode} · <bdi>{t('historyRound', { id: line.betID })}</bdi>
        </span>
        {line.balanceBeforeMicros !== undefined && (
          <span class="historyMode">
            {t('historyBalance')} <bdi>{money(line.balanceBeforeMicros)}</bdi>
          </span>
        )}
      </span>
      <Sum name={t('bet')} value={money(line.stakeMicros)} />
      {line.state === 'completed' ? (
        <>
          <Sum kind={line.payoutMicros > 0 ? 'won' : ''} name={t('win')} value={money(line.payoutMicros)} />
          <Sum name={t('netPosition')} value={money(line.netMicros)} />
        </>
      ) : (
        <span class="historyState">
          {t(line.state === 'void' ? (line.isFree ? 'historyVoidFree' : 'historyVoid') : 'historyOpen')}
        </span>
      )}
    </>
  );
  if (!canReplay) return <div class="historyLine">{content}</div>;
  return (
    <button type="button" class="historyLine" onClick={() => actions.replayRound(line.betID)}>
      {content}
      <span class="historyReplay">
        <Icon name="play" />
        {t('replay')}
      </span>
    </button>
  );
}

function Sum({ name, value, kind = '' }: { name: string; value: string; kind?: string }) {
  return (
    <span class={`historySum ${kind}`}>
      <span class="historyName">{name}</span> <bdi>{value}</bdi>
    </span>
  );
}
