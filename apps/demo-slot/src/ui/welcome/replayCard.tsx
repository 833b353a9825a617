import { MODES, type ModeName } from '../../../rules.ts';
import type { ReplayInfo } from '../../game/model.ts';
import { MODE_NAMES } from '../info/modesTable.tsx';
import { Icon } from '../parts/icon.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';

/** Which recorded round is shown, with the button that starts it, or plays it again. */
export function ReplayCard({ replay }: { replay: ReplayInfo }) {
  const { model, actions, t, money } = useUi();
  const hasEnded = replay.state === 'ended';
  const mode = MODES.find((name): name is ModeName => name === replay.mode);
  return (
    <section class="replayCard" aria-labelledby="replayTitle">
      <h2 id="replayTitle">{t('replay')}</h2>
      <dl class="summary">
        <Line name={t('replayMode')} value={mode ? t(MODE_NAMES[mode]) : replay.mode} />
        <Line name={t('bet')} value={money(replay.betMicros)} />
        <Line name={t('replayCost')} value={money(replay.costMicros)} />
        {hasEnded && <Line name={t('totalWin')} value={money(model.winMicros.value)} />}
      </dl>
      <p class="reference">{t('requestId', { id: replay.book })}</p>
      <p class="introNote">{t('replayNote')}</p>
      <TextButton key={replay.state} kind="playButton" isMain isFirst onPress={actions.startReplay}>
        <Icon name={hasEnded ? 'autoplay' : 'play'} />
        <span>{t(hasEnded ? 'replayAgain' : 'replayStart')}</span>
      </TextButton>
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
