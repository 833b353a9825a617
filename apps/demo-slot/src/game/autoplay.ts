import { computed } from '@preact/signals-core';
import { stopAfterRound, stopBeforeRound } from '@roundhouse/sdk/duties';
import type { ClientContext } from './context.ts';
import type { AutoplaySettings, AutoplayStop } from './model.ts';
import type { PlayedRound } from './round/playRound.ts';
import { until } from './store.ts';

/** The pause between two spins is long enough to see the result and press stop (normal pace). */
const BETWEEN_SPINS_MS = 400;

/** Plays one round; undefined when it failed, which ends the autoplay. */
type PlayOnce = () => Promise<PlayedRound | undefined>;

/** Spins until the number is done, a limit is reached, the player stops it, or something fails. */
export async function runAutoplay(
  context: ClientContext,
  settings: AutoplaySettings,
  playOnce: PlayOnce,
): Promise<void> {
  const { store, client } = context;
  const netAtStartMicros = client.state.netPositionMicros;
  const grantID = store.grant.peek()?.grantID;
  const run = { ...settings, remaining: settings.spins };
  store.autoplay.value = run;

  while (await isNextSpinDue(context)) {
    const remaining = store.autoplay.peek()?.remaining ?? 0;
    // After the free rounds nothing starts automatically, neither paid rounds nor more free rounds.
    if (remaining === 0 || store.grant.peek()?.grantID !== grantID) break;
    const lostMicros = netAtStartMicros - client.state.netPositionMicros;
    const stakeMicros = grantID === undefined ? context.model.stakeMicros.peek() : 0;
    const before = stopBeforeRound(settings, { lostMicros, stakeMicros });
    if (before) return stopWithNotice(context, before);

    store.autoplay.value = { ...settings, remaining: remaining - 1 };
    const played = await playOnce();
    if (!played) break;
    const after = stopAfterSpin(settings, played);
    if (after && store.autoplay.peek()) return stopWithNotice(context, after);
    if ((store.autoplay.peek()?.remaining ?? 0) > 0)
      await context.steps.pause(context.model.pace.peek(), BETWEEN_SPINS_MS);
  }
  store.autoplay.value = undefined;
}

/**
 * Waits until a round may begin and no dialog is open. Returns false when the autoplay was stopped
 * meanwhile.
 */
async function isNextSpinDue({ store, canPlay }: ClientContext): Promise<boolean> {
  const isRunning = () => store.autoplay.value !== undefined;
  await until(computed(() => !isRunning() || (canPlay.value && store.dialog.value === undefined)));
  return store.autoplay.peek() !== undefined;
}

function stopWithNotice({ store }: ClientContext, why: AutoplayStop): void {
  store.autoplay.value = undefined;
  store.dialog.value = { kind: 'notice', reason: 'autoplayStopped', why };
}

/** Returns why to stop after a round that was just played. */
function stopAfterSpin(settings: AutoplaySettings, played: PlayedRound): AutoplayStop | undefined {
  return (
    stopAfterRound(settings, played) ?? (settings.stopOnFreeSpins && played.hadFreeSpins ? 'freeSpins' : undefined)
  );
}
