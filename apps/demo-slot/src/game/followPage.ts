import { effect } from '@preact/signals-core';
import { createSessionTimer } from '@roundhouse/sdk';
import { keepPreferences, recallPreferences } from './preferences.ts';
import type { OpenTable, Table } from './table.ts';

/**
 * Follows the page and the player for sound, full screen and stored choices. Returns the function
 * that stops it.
 */
export function followPage({ store, page, audio }: Table): () => void {
  recallPreferences(page, store);
  const ends = [
    keepPreferences(page, store),
    page.onFullscreen(() => {
      store.fullscreen.value = page.isFullscreen();
    }),
    effect(() => audio.setMuted(store.muted.value)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Shows the session timer where the jurisdiction demands it. Returns the function that stops it.
 */
export function followSession({ client, store, model }: OpenTable): () => void {
  return effect(() => {
    const startedAtMs = client.state.sessionStartedAtMs;
    if (!model.permissions.value.showSessionTimer || startedAtMs === undefined) return;
    const onTick = (elapsedMs: number) => {
      store.sessionElapsedMs.value = elapsedMs;
    };
    const timer = createSessionTimer({ startedAtMs, onTick });
    return () => timer.stop();
  });
}
