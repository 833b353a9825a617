import { RoundKey } from '../parts/roundKey.tsx';
import { useUi } from '../uiContext.ts';

/** Small layouts show the menu key alone, or with the sound key; the menu holds the rest. */
export function Tools() {
  const { model, actions, t } = useUi();
  const open = model.dialog.value?.kind;
  return (
    <div class="tools">
      <RoundKey
        kind="menuKey"
        icon="menu"
        name={t('menu')}
        opensDialog
        isDialogOpen={open === 'menu'}
        onPress={() => actions.openDialog('menu')}
      />
      <RoundKey
        kind="soundKey"
        icon={model.muted.value ? 'soundOff' : 'soundOn'}
        name={t(model.muted.value ? 'soundOff' : 'soundOn')}
        onPress={actions.toggleMuted}
      />
      <RoundKey
        kind="infoKey"
        icon="info"
        name={t('info')}
        opensDialog
        isDialogOpen={open === 'info'}
        onPress={() => actions.openDialog('info')}
      />
      {model.permissions.value.fullscreen && (
        <RoundKey
          kind="fullscreenKey"
          icon={model.fullscreen.value ? 'exitFullscreen' : 'fullscreen'}
          name={t(model.fullscreen.value ? 'exitFullscreen' : 'fullscreen')}
          onPress={actions.toggleFullscreen}
        />
      )}
    </div>
  );
}
