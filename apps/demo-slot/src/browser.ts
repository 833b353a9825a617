import { holdSession } from '@roundhouse/sdk/duties';
import type { Clock, GameKey, Page, Stage, StageSize } from './game/ports.ts';

/**
 * Keys are known by character, so that plus and minus work on every keyboard and on the number pad.
 */
const KEYS: Readonly<Record<string, GameKey>> = {
  ' ': 'spin',
  '+': 'raiseBet',
  '=': 'raiseBet',
  ArrowUp: 'raiseBet',
  '-': 'lowerBet',
  _: 'lowerBet',
  ArrowDown: 'lowerBet',
  m: 'mute',
  M: 'mute',
  Escape: 'stopAutoplay',
};

/** These elements use keys themselves. */
const OWN_MEANING = 'input, select, textarea, dialog, [role=listbox], [role=slider], [role=tablist], [role=radiogroup]';
/** The space bar presses these. On the spin button it spins, so that one is not listed. */
const PRESSED_BY_SPACE = 'button:not(.spin), a, summary';

export const browserClock: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

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
    onReturn: (listener) => listen(window, 'focus', listener),
    onKey: listenToKeys,
    reload: () => location.reload(),
    holdSession,
    leave(url) {
      try {
        (window.top ?? window).location.href = url;
      } catch {
        // A frame with a sandbox must not move the page around it.
        location.href = url;
      }
    },
    openTab: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
    saveFile(name, text) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = name;
      link.click();
      // The download has begun in the next task.
      setTimeout(() => URL.revokeObjectURL(link.href), 0);
    },
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

/**
 * Returns the game's action for a key on this element; undefined when the game does not use the
 * key.
 */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'target'>) {
  const key = KEYS[event.key];
  if (!key || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  // The document itself, which has no `closest`, may be the target.
  const target = event.target as Partial<Element> | null;
  if (target?.closest?.(OWN_MEANING)) return undefined;
  return key === 'spin' && target?.closest?.(PRESSED_BY_SPACE) ? undefined : key;
}

/** Fetches the stage's code at `load`. Until then it only stores size and frames. */
export function createLazyStage(fetchStage: () => Promise<Stage>): Stage {
  let fetched: Stage | undefined;
  let size: StageSize | undefined;
  let savesBattery = false;
  const stage = (): Stage => {
    if (!fetched) throw new Error('the stage is not loaded');
    return fetched;
  };
  return {
    async load(onProgress) {
      fetched = await fetchStage();
      if (size) fetched.resize(size);
      fetched.saveBattery(savesBattery);
      await fetched.load(onProgress);
    },
    enter: () => stage().enter(),
    showBoard: (board) => stage().showBoard(board),
    startReels: (spin, pace) => stage().startReels(spin, pace),
    stopReels: (board, anticipation, showing) => stage().stopReels(board, anticipation, showing),
    showLineWins: (wins, write, showing) => stage().showLineWins(wins, write, showing),
    showLine: (win, amount) => stage().showLine(win, amount),
    symbolAt: (point) => stage().symbolAt(point),
    markLines: (wins) => stage().markLines(wins),
    clearWins: () => stage().clearWins(),
    celebrate: (win, showing) => stage().celebrate(win, showing),
    pulse: (positions, showing) => stage().pulse(positions, showing),
    changeScene: (scene, showing) => stage().changeScene(scene, showing),
    announce: (card, showing) => stage().announce(card, showing),
    setMultiplier: (multiplier, positions, showing) => stage().setMultiplier(multiplier, positions, showing),
    saveBattery(on) {
      savesBattery = on;
      fetched?.saveBattery(on);
    },
    resize(next) {
      size = next;
      fetched?.resize(next);
    },
    destroy: () => fetched?.destroy(),
  };
}
