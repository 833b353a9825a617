import { GAME_TITLE, GAME_VERSION, RTP_BASIS_POINTS } from '../../../rules.ts';
import { useUi } from '../uiContext.ts';

export function HowToPlay() {
  const { model, t, percent } = useUi();
  const { spaceBar, slamStop } = model.permissions.value;
  return (
    <section class="rulesPart">
      <h3>{t('rules')}</h3>
      <ul class="plainNotes">
        {/* The longer text speaks of the space bar and of stopping the reels. */}
        <li>{t(spaceBar && slamStop ? 'rulesControls' : 'rulesControlsPlain')}</li>
        <li>{t('rulesRtp', { rtp: percent(RTP_BASIS_POINTS) })}</li>
        <li>{t('rulesInterrupted')}</li>
        <li>{t('rulesMalfunction')}</li>
      </ul>
      <p class="version">
        {GAME_TITLE} {GAME_VERSION}
      </p>
    </section>
  );
}
