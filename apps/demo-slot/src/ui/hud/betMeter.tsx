import { Meter } from '../parts/meter.tsx';
import { restable } from '../parts/restable.ts';
import { useUi } from '../uiContext.ts';

/**
 * The base bet, with the cost of a spin when the mode raises it. A press on it opens the bet
 * levels.
 */
export function BetMeter() {
  const { model, actions, t, money } = useUi();
  const bet = model.betMicros.value;
  const stake = model.stakeMicros.value;
  return (
    <Meter kind="betMeter" label={t('bet')} value={money(bet)}>
      {stake !== bet && (
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
