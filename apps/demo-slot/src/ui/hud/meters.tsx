import { formatElapsed } from '@roundhouse/sdk/duties';
import type { ComponentChildren } from 'preact';
import { RTP_BASIS_POINTS } from '../../../rules.ts';
import type { FreeSpinsShown } from '../../game/model.ts';
import { Icon } from '../parts/art.tsx';
import { restable } from '../parts/buttons.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { LaterMark } from './laterMark.tsx';

type MeterProps = {
  /** The name of the value, also for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly kind: string;
  readonly children?: ComponentChildren;
};

/**
 * Shows a named value that shrinks to fit its place. Screen readers would read each step of a
 * count-up, so it is not live, and the announcer reads the result.
 */
export function Meter({ label, value, kind, children }: MeterProps) {
  return (
    <div class={`meter ${kind}`}>
      <span class="meterLabel" aria-hidden="true" style={{ '--em': textWidthEm(label, { isCapitals: true }) }}>
        {label}
      </span>
      <output class="meterValue" aria-label={label} aria-live="off" style={{ '--em': textWidthEm(value) }}>
        <Digits text={value} />
      </output>
      {children}
    </div>
  );
}

/**
 * Gives each digit margins that fill it up to one width. The font's digits differ in width (its 1
 * is half as wide as its 0) and it has no tabular ones, so an amount that counts up would jump. The
 * classes d0 to d9 hold the margins.
 */
function Digits({ text }: { text: string }) {
  return text
    .split(/(\d)/)
    .filter((piece) => piece !== '')
    .map((piece, place) => (/^\d$/.test(piece) ? <span key={place} class={`d${piece}`} children={piece} /> : piece));
}

/** Shows the balance. A press on it leads to the cashier, where the operator has one. */
export function BalanceMeter() {
  const { model, actions, t, money } = useUi();
  const balance = model.balanceMicros.value;
  // No money moves in a replay.
  if (balance === undefined || model.replay.value) return null;
  return (
    <Meter kind="balance" label={t('balance')} value={money(balance)}>
      {model.pages.cashierURL !== undefined && (
        <button
          type="button"
          class="cover"
          aria-label={t('cashier')}
          title={t('cashier')}
          onClick={() => actions.leaveTo('cashierURL')}
        />
      )}
    </Meter>
  );
}

export function WinMeter() {
  const { model, t, money } = useUi();
  const win = model.winMicros.value;
  return <Meter kind={win > 0 ? 'winMeter lit' : 'winMeter'} label={t('win')} value={money(win)} />;
}

/**
 * Shows the base bet, with the cost of a spin when the mode raises it. A press on it opens the bet
 * levels.
 */
export function BetMeter() {
  const { model, actions, t, money } = useUi();
  const bet = model.betMicros.value;
  const stake = model.stakeMicros.value;
  return (
    <Meter kind="betMeter" label={t('bet')} value={money(bet)}>
      {stake !== bet && !model.grant.value && (
        <output class="stake" aria-label={t('modeCost')} aria-live="off">
          {money(stake)}
        </output>
      )}
      {!model.replay.value && (
        <button
          type="button"
          class="cover"
          aria-label={t('chooseBet')}
          title={t('chooseBet')}
          aria-haspopup="dialog"
          aria-expanded={model.dialog.value?.kind === 'bet'}
          {...restable({ isResting: !model.canChangeBet.value, onPress: () => actions.openDialog('bet') })}
        />
      )}
    </Meter>
  );
}

/**
 * Replaces the features during free spins: their number, their multiplier, and what the round has
 * paid so far, which is what the win below the reels says.
 */
export function FreeSpinsBar({ shown }: { shown: FreeSpinsShown }) {
  const { model, t, money, number } = useUi();
  const spins = t('spinOf', { spin: number(shown.spin), total: number(shown.totalSpins) });
  return (
    <div class="freeSpins">
      <Meter kind="spinsMeter" label={t('freeSpins')} value={spins} />
      <Meter kind="multiplierMeter" label={t('multiplier')} value={`${number(shown.multiplier)}×`} />
      <Meter kind="totalMeter" label={t('totalWin')} value={money(model.winMicros.value)} />
    </div>
  );
}

/**
 * Shows what some jurisdictions require on the screen, the marks of a replay and of play money, and
 * a lost connection.
 */
export function Facts() {
  const { model, t, percent } = useUi();
  const { showRtp, showNetPosition, showSessionTimer } = model.permissions.value;
  return (
    <div class="facts">
      <ReplayMark />
      <LaterMark />
      {model.isFunMode && <span class="fact mark">{t('playMoney')}</span>}
      {showRtp && <Fact label={t('rtp')} value={percent(RTP_BASIS_POINTS)} />}
      {showNetPosition && <NetPosition />}
      {showSessionTimer && <SessionTime />}
      <p class="reconnecting" role="status">
        {model.reconnecting.value && <span class="pill">{t('reconnecting')}</span>}
      </p>
    </div>
  );
}

/** In the replay of the player's own round it leads back to the game. */
function ReplayMark() {
  const { model, actions, t } = useUi();
  const replay = model.replay.value;
  if (!replay) return null;
  const name = replay.isFree ? `${t('replay')} · ${t('freeRound')}` : t('replay');
  if (!replay.canLeave) return <span class="fact mark">{t('replay')}</span>;
  return (
    <button type="button" class="fact mark replayMark" onClick={actions.leaveReplay} title={t('replayLeave')}>
      {name}
      <Icon name="close" />
      <span class="unseen">{t('replayLeave')}</span>
    </button>
  );
}

/** A separate component, because it changes every second. */
function SessionTime() {
  const { model, t } = useUi();
  return <Fact label={t('sessionTime')} value={formatElapsed(model.sessionElapsedMs.value)} />;
}

function NetPosition() {
  const { model, t, money } = useUi();
  return <Fact label={t('netPosition')} value={money(model.netPositionMicros.value)} />;
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <span class="fact">
      <span class="factLabel" aria-hidden="true">
        {label}
      </span>
      <output aria-label={label} aria-live="off">
        <Digits text={value} />
      </output>
    </span>
  );
}
