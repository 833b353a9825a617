import type { GameKey, Page } from '../game/page.ts';
import { keyOf } from './keyOf.ts';

/** The page of a browser. */
export function createBrowserPage(): Page {
  return {
    recall: (name) => orUndefined(() => localStorage.getItem(name) ?? undefined),
    keep: (name, value) => orUndefined(() => localStorage.setItem(name, value)),
    canFullscreen: document.fullscreenEnabled === true,
    isFullscreen: () => document.fullscreenElement !== null,
    toggleFullscreen() {
      const change = document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen();
      // A browser may refuse, for instance inside a frame; then nothing changes.
      change.catch(() => {});
    },
    onFullscreen: (listener) => listen(document, 'fullscreenchange', listener),
    isOnline: () => navigator.onLine,
    onOnline(listener) {
      const ends = [listen(window, 'online', () => listener(true)), listen(window, 'offline', () => listener(false))];
      return () => {
        for (const end of ends) end();
      };
    },
    onKey: listenToKeys,
    reload: () => location.reload(),
  };
}

function listenToKeys(listener: (key: GameKey) => boolean): () => void {
  const down = (event: Event) => {
    if (!(event instanceof KeyboardEvent)) return;
    const key = keyOf(event);
    if (!key) return;
    // Held down, the space bar must not spin again and again; the bet may well run through its levels.
    const isUsed = event.repeat && (key === 'spin' || key === 'mute') ? key === 'spin' : listener(key);
    if (isUsed) event.preventDefault();
  };
  // A button under the focus is pressed when the space bar is let go.
  const up = (event: Event) => {
    if (event instanceof KeyboardEvent && keyOf(event) === 'spin') event.preventDefault();
  };
  const ends = [listen(window, 'keydown', down), listen(window, 'keyup', up)];
  return () => {
    for (const end of ends) end();
  };
}

function listen(target: EventTarget, type: string, listener: (event: Event) => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}

/** A browser that keeps nothing (private mode, a frame of another site) throws on every touch of its storage. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
