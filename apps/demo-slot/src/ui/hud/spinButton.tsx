import type { GameModel } from '../../game/gameModel.ts';
import type { TextKey } from '../../texts/texts.ts';
import { Icon, type IconName } from '../parts/art.tsx';
import { ignoreHeldKey, restable } from '../parts/buttons.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';

/** `waiting`: a round runs and cannot be cut short. `resting`: no round can begin at the moment. */
type SpinState = 'stopAutoplay' | 'spin' | 'stop' | 'skip' | 'waiting' | 'resting';

const FACES: Readonly<Record<SpinState, { name: TextKey; icon: IconName }>> = {
  stopAutoplay: { name: 'stopAutoplay', icon: 'stop' },
  spin: { name: 'spin', icon: 'spin' },
  stop: { name: 'stop', icon: 'stop' },
  skip: { name: 'skip', icon: 'stop' },
  waiting: { name: 'spin', icon: 'spin' },
  resting: { name: 'spin', icon: 'spin' },
};

export function SpinButton() {
  const { model, actions, t, number } = useUi();
  const state = spinStateOf(model);
  const face = FACES[state];
  const isResting = state === 'waiting' || state === 'resting';
  const remaining = model.autoplay.value?.remaining;

  const onPress = state === 'stopAutoplay' ? actions.stopAutoplay : actions.spinOrStop;
  return (
    <button
      type="button"
      class="spin"
      data-state={state}
      aria-label={t(face.name)}
      aria-busy={state === 'waiting' ? 'true' : undefined}
      aria-describedby={remaining === undefined ? undefined : 'autoplayLeft'}
      onKeyDown={ignoreHeldKey}
      {...restable({ isResting, onPress })}
    >
      <span class="spinGlow" />
      <span class="spinFace">
        <Icon name={face.icon} />
        {remaining !== undefined && (
          <span class="spinCount" aria-hidden="true" style={{ '--em': textWidthEm(number(remaining)) }}>
            {number(remaining)}
          </span>
        )}
      </span>
      {remaining !== undefined && (
        <span class="unseen" id="autoplayLeft">
          {t('autoplayLeft', { count: remaining })}
        </span>
      )}
    </button>
  );
}

export function spinStateOf({
  autoplay,
  canSpin,
  canStop,
  phase,
}: Pick<GameModel, 'autoplay' | 'canSpin' | 'canStop' | 'phase'>): SpinState {
  const isRoundRunning = phase.value === 'spinning' || phase.value === 'presenting';
  if (autoplay.value) return 'stopAutoplay';
  if (canSpin.value) return 'spin';
  if (canStop.value) return phase.value === 'presenting' ? 'skip' : 'stop';
  return isRoundRunning ? 'waiting' : 'resting';
}
