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
      // A browser may refuse, for example inside a frame. Then nothing changes.
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
    // A space bar that is held down must not spin again. The keys of the bet may repeat.
    const isUsed = event.repeat && (key === 'spin' || key === 'mute') ? key === 'spin' : listener(key);
    if (isUsed) event.preventDefault();
  };
  // The browser presses the focused button when the space bar is released.
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

/** Without storage (private mode, a frame of another site) the browser throws at every access. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
