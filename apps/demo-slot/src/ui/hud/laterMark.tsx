import { Icon } from '../parts/art.tsx';
import { restable } from '../parts/buttons.tsx';
import { useUi } from '../uiContext.ts';

/** Leads back to the free rounds that the player keeps for later. */
export function LaterMark() {
  const { model, actions, t } = useUi();
  const grant = model.laterGrant.value;
  if (!grant || model.grant.value || model.replay.value) return null;
  return (
    <button
      type="button"
      class="fact mark replayMark"
      aria-haspopup="dialog"
      aria-expanded={model.dialog.value?.kind === 'freeRounds'}
      {...restable({ isResting: !model.canStartAutoplay.value, onPress: actions.openFreeRounds })}
    >
      {t('freeRounds')}: {grant.left}
      <Icon name="bonus" />
    </button>
  );
}
