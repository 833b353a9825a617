import type { ComponentChildren } from 'preact';
import { WIN_CAP_HUNDREDTHS } from '../../../rules.ts';
import { Icon } from '../parts/icon.tsx';
import { SymbolArt } from '../parts/symbolArt.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';

/** The game in four pictures, with the Play button. */
export function Intro() {
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

/** The art repeats what the words say. */
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
