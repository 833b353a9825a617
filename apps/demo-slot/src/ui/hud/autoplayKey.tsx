import { RoundKey } from '../parts/roundKey.tsx';
import { useUi } from '../uiContext.ts';

/**
 * Opens the settings. Autoplay that runs is stopped with the big button, which shows how many spins
 * are left.
 */
export function AutoplayKey() {
  const { model, actions, t } = useUi();
  if (!model.permissions.value.autoplay || model.replay.value) return null;
  const kind = model.dialog.value?.kind;
  return (
    <RoundKey
      kind="auto"
      icon="autoplay"
      name={t('autoplay')}
      isLit={model.autoplay.value !== undefined}
      isResting={!model.canChangeBet.value}
      opensDialog
      isDialogOpen={kind === 'autoplay' || kind === 'autoplayConfirm'}
      onPress={() => actions.openDialog('autoplay')}
    />
  );
}
