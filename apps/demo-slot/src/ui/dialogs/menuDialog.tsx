import type { SoundChannel } from '../../game/model.ts';
import { costOfMode, isModeOffered } from '../../game/money.ts';
import type { TextKey } from '../../texts/texts.ts';
import { PACES } from '../hud/keys.tsx';
import { Icon, type IconName } from '../parts/art.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

/**
 * Shows everything without a button in the layout. The entries of `onlyCompact` have one in all but
 * the smallest layout.
 */
export function MenuDialog() {
  const { model, actions, t, money } = useUi();
  const { turbo, autoplay, buyFeature, fullscreen } = model.permissions.value;
  const { pages } = model;
  const isReplay = model.replay.value !== undefined;
  const canChange = model.canChangeBet.value;
  const pace = PACES[model.pace.value];
  return (
    <DialogFrame kind="menuDialog" title={t('menu')}>
      <ul class="menuList">
        {model.replay.value?.canLeave && (
          <MenuLine icon="close" name={t('replayLeave')} onPress={actions.leaveReplay} />
        )}
        <MenuLine icon="info" name={t('info')} onPress={() => actions.openDialog('info')} />
        <MenuLine
          icon={model.muted.value ? 'soundOff' : 'soundOn'}
          name={t(model.muted.value ? 'soundOff' : 'soundOn')}
          onPress={actions.toggleMuted}
        />
        <Volume channel="music" label="volumeMusic" />
        <Volume channel="effects" label="volumeEffects" />
        {turbo && <MenuLine icon={pace.icon} name={t(pace.name)} onPress={actions.cyclePace} />}
        {fullscreen && (
          <MenuLine
            icon={model.fullscreen.value ? 'exitFullscreen' : 'fullscreen'}
            name={t(model.fullscreen.value ? 'exitFullscreen' : 'fullscreen')}
            onPress={actions.toggleFullscreen}
          />
        )}
        <SwitchLine name={t('leftHanded')} isOn={model.leftHanded.value} onChange={actions.setLeftHanded} />
        <SwitchLine name={t('batterySaver')} isOn={model.batterySaver.value} onChange={actions.setBatterySaver} />
        {autoplay && !isReplay && (
          <MenuLine
            kind="onlyCompact"
            icon="autoplay"
            name={t('autoplay')}
            isDisabled={!model.canStartAutoplay.value}
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
        {!isReplay && isModeOffered(model, 'ANTE') && (
          <SwitchLine
            kind="onlyCompact"
            name={t('ante')}
            note={money(costOfMode(model, 'ANTE'))}
            isOn={model.mode.value === 'ANTE'}
            isDisabled={!canChange}
            onChange={actions.setAnte}
          />
        )}
        {model.permissions.value.history && !isReplay && (
          <MenuLine icon="history" name={t('history')} onPress={() => actions.openDialog('history')} />
        )}
        {model.fairness.value && !isReplay && (
          <MenuLine icon="check" name={t('fairness')} onPress={() => actions.openDialog('fairness')} />
        )}
        {pages.cashierURL !== undefined && (
          <MenuLine icon="coins" name={t('cashier')} onPress={() => actions.leaveTo('cashierURL')} />
        )}
        <MenuLink icon="history" name={t('accountHistory')} href={pages.historyURL} />
        <MenuLink icon="shield" name={t('responsibleGambling')} href={pages.responsibleGamblingURL} />
        {pages.returnURL !== undefined && (
          <MenuLine icon="home" name={t('home')} onPress={() => actions.leaveTo('returnURL')} />
        )}
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

/** Leads to a page of the operator in a new tab. Shows nothing where the operator names none. */
function MenuLink({ icon, name, href }: { icon: IconName; name: string; href: string | undefined }) {
  const { t } = useUi();
  if (href === undefined) return null;
  return (
    <li>
      <a
        class="menuLine"
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t('opensNewTab', { page: name })}
      >
        <Icon name={icon} />
        <span class="menuName">{name}</span>
      </a>
    </li>
  );
}

type SwitchLineProps = {
  readonly name: string;
  readonly note?: string;
  readonly kind?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (on: boolean) => void;
};

function SwitchLine({ name, note, kind = '', isOn, isDisabled, onChange }: SwitchLineProps) {
  return (
    <li class={kind}>
      <button
        type="button"
        class="menuLine"
        role="switch"
        aria-checked={isOn}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
      >
        <span class="toggle" aria-hidden="true" />
        <span class="menuName">{name}</span>
        {note !== undefined && <span class="menuNote">{note}</span>}
      </button>
    </li>
  );
}

/**
 * Shows a slider in steps of five percent. While the sound is muted it shows the volume after
 * unmuting.
 */
function Volume({ channel, label }: { channel: SoundChannel; label: TextKey }) {
  const { model, actions, t, number } = useUi();
  const percent = model.volumes.value[channel];
  return (
    <li>
      <label class="volume" data-muted={model.muted.value ? '' : undefined}>
        <span class="menuName">{t(label)}</span>
        <input
          type="range"
          class="slider"
          min={0}
          max={100}
          step={5}
          value={percent}
          style={{ '--part': percent / 100 }}
          onInput={({ currentTarget }) => actions.setVolume(channel, currentTarget.valueAsNumber)}
        />
        <output class="menuNote" aria-hidden="true">
          {number(percent)}
        </output>
      </label>
    </li>
  );
}
