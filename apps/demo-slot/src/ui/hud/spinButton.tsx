import type { TextKey } from '../../texts/texts.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { restable } from '../parts/restable.ts';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { type SpinState, spinStateOf } from './spinState.ts';

const FACES: Readonly<Record<SpinState, { name: TextKey; icon: IconName }>> = {
  stopAutoplay: { name: 'stopAutoplay', icon: 'stop' },
  spin: { name: 'spin', icon: 'spin' },
  stop: { name: 'stop', icon: 'stop' },
  skip: { name: 'skip', icon: 'stop' },
  waiting: { name: 'spin', icon: 'spin' },
  resting: { name: 'spin', icon: 'spin' },
};

/** The big round button. */
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
