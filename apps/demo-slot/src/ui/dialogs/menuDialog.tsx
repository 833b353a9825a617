import { costOfMode, isModeOffered } from '../../game/money.ts';
import { PACES } from '../hud/keys.tsx';
import { Icon, type IconName } from '../parts/art.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

/**
 * Everything without a button in the layout. The entries of `onlyCompact` have one in all but the
 * smallest layout.
 */
export function MenuDialog() {
  const { model, actions, t, money } = useUi();
  const { turbo, autoplay, buyFeature, fullscreen } = model.permissions.value;
  const isReplay = model.replay.value !== undefined;
  const canChange = model.canChangeBet.value;
  const pace = PACES[model.pace.value];
  return (
    <DialogFrame kind="menuDialog" title={t('menu')}>
      <ul class="menuList">
        <MenuLine icon="info" name={t('info')} onPress={() => actions.openDialog('info')} />
        <MenuLine
          icon={model.muted.value ? 'soundOff' : 'soundOn'}
          name={t(model.muted.value ? 'soundOff' : 'soundOn')}
          onPress={actions.toggleMuted}
        />
        {turbo && <MenuLine icon={pace.icon} name={t(pace.name)} onPress={actions.cyclePace} />}
        {fullscreen && (
          <MenuLine
            icon={model.fullscreen.value ? 'exitFullscreen' : 'fullscreen'}
            name={t(model.fullscreen.value ? 'exitFullscreen' : 'fullscreen')}
            onPress={actions.toggleFullscreen}
          />
        )}
        {autoplay && !isReplay && (
          <MenuLine
            kind="onlyCompact"
            icon="autoplay"
            name={t('autoplay')}
            isDisabled={!canChange}
            onPress={() => actions.openDialog('autoplay')}
          />
        )}
        {buyFeature && !isReplay && isModeOffered(model, 'BONUS') && (
          <MenuLine
            kind="onlyCompact"
            icon="bonus"
            name={t('buy')}
            note={money(costOfMode(model, 'BONUS'))}
            isDisabled={!canChange}
            onPress={() => actions.openDialog('buy')}
          />
        )}
        {!isReplay && isModeOffered(model, 'ANTE') && <AnteLine isDisabled={!canChange} />}
      </ul>
    </DialogFrame>
  );
}

type MenuLineProps = {
  readonly icon: IconName;
  readonly name: string;
  readonly note?: string;
  readonly kind?: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
};

function MenuLine({ icon, name, note, kind = '', isDisabled, onPress }: MenuLineProps) {
  return (
    <li class={kind}>
      <button type="button" class="menuLine" disabled={isDisabled} onClick={onPress}>
        <Icon name={icon} />
        <span class="menuName">{name}</span>
        {note !== undefined && <span class="menuNote">{note}</span>}
      </button>
    </li>
  );
}

function AnteLine({ isDisabled }: { isDisabled: boolean }) {
  const { model, actions, t, money } = useUi();
  const isOn = model.mode.value === 'ANTE';
  return (
    <li class="onlyCompact">
      <button
        type="button"
        class="menuLine"
        role="switch"
        aria-checked={isOn}
        disabled={isDisabled}
        onClick={() => actions.setAnte(!isOn)}
      >
        <span class="toggle" aria-hidden="true" />
        <span class="menuName">{t('ante')}</span>
        <span class="menuNote">{money(costOfMode(model, 'ANTE'))}</span>
      </button>
    </li>
  );
}
