import type { Context } from '../context.ts';
import type { GameActions } from '../model.ts';
import { nextPace } from '../permissions.ts';

/** These actions change how the game looks, sounds and moves. */
export function comfortActions({ store, model, audio, page, steps, stage, board }: Context) {
  return {
    stop() {
      if (model.canStop.peek()) steps.cutShort();
    },
    pressPicture(point) {
      const open = store.payBubble.peek();
      store.payBubble.value = undefined;
      const isAtRest = store.phase.peek() === 'idle' && !store.dialog.peek() && !store.autoplay.peek();
      const place = isAtRest && point ? stage.symbolAt(point) : undefined;
      if (!place || (place.reel === open?.reel && place.row === open.row)) return;
      const symbol = board()[place.reel]?.[place.row];
      if (!symbol) return;
      store.payBubble.value = { ...place, symbol };
      audio.play('button');
    },
    cyclePace() {
      const pace = nextPace(model.pace.peek(), model.permissions.peek());
      if (pace === model.pace.peek()) return;
      store.wantedPace.value = pace;
      audio.play('button');
    },
    toggleMuted() {
      store.muted.value = !store.muted.peek();
      audio.play('button');
    },
    setVolume(channel, percent) {
      store.volumes.value = { ...store.volumes.peek(), [channel]: percent };
      store.muted.value = false;
      // Each step is heard; for the music it is the music itself.
      if (channel === 'effects') audio.play('button');
    },
    setLeftHanded(on) {
      store.wantedLeftHanded.value = on;
      audio.play('button');
    },
    setBatterySaver(on) {
      store.batterySaver.value = on;
      audio.play('button');
    },
    toggleFullscreen() {
      if (model.permissions.peek().fullscreen) page.toggleFullscreen();
    },
  } satisfies Partial<GameActions>;
}
