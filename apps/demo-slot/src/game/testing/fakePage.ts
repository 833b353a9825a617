import type { GameKey, Page } from '../page.ts';

export type FakePage = Page & {
  readonly kept: Map<string, string>;
  reloads: number;
  online: boolean;
  press(key: GameKey): boolean;
  goOnline(online: boolean): void;
};

export function createFakePage(): FakePage {
  const keyListeners = new Set<(key: GameKey) => boolean>();
  const onlineListeners = new Set<(online: boolean) => void>();
  const fullscreenListeners = new Set<() => void>();
  let isFullscreen = false;
  const listen = <T>(listeners: Set<T>, listener: T) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const page: FakePage = {
    kept: new Map(),
    reloads: 0,
    online: true,
    recall: (name) => page.kept.get(name),
    keep: (name, value) => void page.kept.set(name, value),
    canFullscreen: true,
    isFullscreen: () => isFullscreen,
    toggleFullscreen() {
      isFullscreen = !isFullscreen;
      for (const listener of fullscreenListeners) listener();
    },
    onFullscreen: (listener) => listen(fullscreenListeners, listener),
    isOnline: () => page.online,
    onOnline: (listener) => listen(onlineListeners, listener),
    onKey: (listener) => listen(keyListeners, listener),
    reload: () => {
      page.reloads += 1;
    },
    press: (key) => [...keyListeners].map((listener) => listener(key)).some(Boolean),
    goOnline(online) {
      page.online = online;
      for (const listener of onlineListeners) listener(online);
    },
  };
  return page;
}
