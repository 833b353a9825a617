import type { ComponentChildren } from 'preact';
import { GAME_TITLE, MODES, type ModeName, WIN_CAP_HUNDREDTHS } from '../../rules.ts';
import logo from '../assets/ui/logo.svg?url';
import type { GameModel } from '../game/gameModel.ts';
import type { ReplayInfo } from '../game/model.ts';
import { MODE_NAMES } from './dialogs/infoDialog.tsx';
import { Icon, SymbolArt } from './parts/art.tsx';
import { TextButton } from './parts/buttons.tsx';
import { SummaryLine } from './parts/summaryLine.tsx';
import { useUi } from './uiContext.ts';

/**
 * Covers the game before it is played: with the loading bar, the intro or the card of a replay. The
 * card returns when the replay has ended. `noGame` shows only the logo, behind a failure dialog.
 */
type WelcomeKind = 'loading' | 'intro' | 'replayReady' | 'replayEnded' | 'noGame';

export function Welcome() {
  const { model } = useUi();
  const kind = welcomeKindOf(model);
  if (!kind) return null;
  // Where the game is seen, it is the main part of the page.
  const Part = hidesGame(kind) ? 'main' : 'div';
  const replay = model.replay.value;
  return (
    <Part class="welcome" data-kind={kind}>
      <h1 class="welcomeLogo">
        <img src={logo} alt={GAME_TITLE} width="900" height="260" draggable={false} />
      </h1>
      {kind === 'loading' && <LoadingBar />}
      {kind === 'intro' && <Intro />}
      {replay && <ReplayCard replay={replay} />}
    </Part>
  );
}

export function welcomeKindOf({
  phase,
  replay,
  config,
}: Pick<GameModel, 'phase' | 'replay' | 'config'>): WelcomeKind | undefined {
  if (phase.value === 'loading' || phase.value === 'intro') return phase.value;
  if (phase.value === 'blocked') return config.value || replay.value ? undefined : 'noGame';
  if (replay.value?.state === 'ready') return 'replayReady';
  return replay.value?.state === 'ended' ? 'replayEnded' : undefined;
}

export function hidesGame(kind: WelcomeKind | undefined): boolean {
  return kind !== undefined && kind !== 'replayEnded';
}

function LoadingBar() {
  const { model, t } = useUi();
  const percent = Math.round(model.progress.value * 100);
  return (
    <div class="loading">
      <div
        class="progress"
        role="progressbar"
        aria-label={t('loading')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div class="progressDone" style={{ inlineSize: `${percent}%` }} />
      </div>
      <p aria-hidden="true">{t('loading')}</p>
    </div>
  );
}

/** Shows the game in four pictures, with the Play button. */
function Intro() {
  const { model, actions, t, number } = useUi();
  const most = number(WIN_CAP_HUNDREDTHS / 100);
  return (
    <div class="intro">
      <p class="introTitle">{t('introTitle')}</p>
      <ul class="introCards">
        <IntroCard art={<SymbolArt symbol="W" />}>{t('introWild')}</IntroCard>
        <IntroCard art={<SymbolArt symbol="S" />}>{t('introScatter')}</IntroCard>
        <IntroCard art={<span class="medal">+1×</span>}>{t('introMultiplier')}</IntroCard>
        <IntroCard art={<span class="medal small">{most}×</span>}>{t('introMaxWin', { multiple: most })}</IntroCard>
      </ul>
      {model.openRound.value && <p class="introNote">{t('continueRound')}</p>}
      <TextButton kind="playButton" isMain isFirst onPress={actions.enter}>
        <Icon name="play" />
        <span>{t('play')}</span>
      </TextButton>
    </div>
  );
}

/** The art repeats the words, so screen readers skip it. */
function IntroCard({ art, children }: { art: ComponentChildren; children: ComponentChildren }) {
  return (
    <li class="introCard">
      <span class="introArt" aria-hidden="true">
        {art}
      </span>
      <p>{children}</p>
    </li>
  );
}

/** Names the recorded round, with the button that starts it or plays it again. */
function ReplayCard({ replay }: { replay: ReplayInfo }) {
  const { model, actions, t, money } = useUi();
  const hasEnded = replay.state === 'ended';
  const mode = MODES.find((name): name is ModeName => name === replay.mode);
  return (
    <section class="replayCard" aria-labelledby="replayTitle">
      <h2 id="replayTitle">{t('replay')}</h2>
      <dl class="summary">
        <SummaryLine name={t('replayMode')} value={mode ? t(MODE_NAMES[mode]) : replay.mode} />
        <SummaryLine name={t('bet')} value={money(replay.betMicros)} />
        <SummaryLine name={t('replayCost')} value={replay.isFree ? t('freeRound') : money(replay.costMicros)} />
        {hasEnded && <SummaryLine name={t('totalWin')} value={money(model.winMicros.value)} />}
      </dl>
      <p class="reference">{t('requestId', { id: replay.book })}</p>
      <p class="introNote">{t('replayNote')}</p>
      {replay.canLeave && <TextButton onPress={actions.leaveReplay}>{t('replayLeave')}</TextButton>}
      <TextButton key={replay.state} kind="playButton" isMain isFirst onPress={actions.startReplay}>
        <Icon name={hasEnded ? 'autoplay' : 'play'} />
        <span>{t(hasEnded ? 'replayAgain' : 'replayStart')}</span>
      </TextButton>
    </section>
  );
}
