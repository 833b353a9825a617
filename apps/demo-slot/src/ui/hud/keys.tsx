import type { PlayerPace } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { IconName } from '../parts/art.tsx';
import { RoundKey } from '../parts/buttons.tsx';
import { useUi } from '../uiContext.ts';

/** Small layouts show only the menu key, or menu and sound. The menu has the others. */
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
      {model.pages.returnURL !== undefined && (
        <RoundKey kind="homeKey" icon="home" name={t('home')} onPress={() => actions.leaveTo('returnURL')} />
      )}
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

export function BetKeys() {
  const { model, actions, t } = useUi();
  return (
    <div class="steps">
      <RoundKey
        kind="lower"
        icon="minus"
        name={t('lowerBet')}
        isResting={!model.canLowerBet.value}
        onPress={actions.lowerBet}
      />
      <RoundKey
        kind="raise"
        icon="plus"
        name={t('raiseBet')}
        isResting={!model.canRaiseBet.value}
        onPress={actions.raiseBet}
      />
    </div>
  );
}

export const PACES: Readonly<Record<PlayerPace, { name: TextKey; icon: IconName }>> = {
  normal: { name: 'paceNormal', icon: 'turbo' },
  turbo: { name: 'paceTurbo', icon: 'turbo' },
  superTurbo: { name: 'paceSuperTurbo', icon: 'superTurbo' },
};

export function TurboKey() {
  const { model, actions, t } = useUi();
  if (!model.permissions.value.turbo) return null;
  const pace = model.pace.value;
  const { name, icon } = PACES[pace];
  return <RoundKey kind="turbo" icon={icon} name={t(name)} isLit={pace !== 'normal'} onPress={actions.cyclePace} />;
}

/** Opens the settings. The spin button stops a running autoplay and shows the spins left. */
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
      isResting={!model.canStartAutoplay.value}
      opensDialog
      isDialogOpen={kind === 'autoplay' || kind === 'autoplayConfirm'}
      onPress={() => actions.openDialog('autoplay')}
    />
  );
}
