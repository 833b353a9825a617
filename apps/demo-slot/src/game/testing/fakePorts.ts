import type { Board } from '../../../rules.ts';
import type { AnnouncementCard, Celebration, Clock, GameKey, Page, Scene, Showing, Stage } from '../ports.ts';

export type FakeStage = Stage & {
  /** It has the names of all calls, in their order. */
  readonly calls: string[];
  readonly celebrated: Celebration[];
  readonly cards: AnnouncementCard[];
  readonly shownLines: { readonly line: number; readonly amount: string }[];
  /** What is on the screen. */
  board: Board | undefined;
  scene: Scene;
  multiplier: number | undefined;
  areReelsTurning: boolean;
  savesBattery: boolean;
  /** The port calls it at each call. The call throws what it throws. */
  onCall: (name: string) => void;
  /** Holds every step that is shown until it is skipped. */
  isHolding: boolean;
};

/** Makes a stage that draws nothing and records every call. */
export function createFakeStage(): FakeStage {
  const called = (name: string) => {
    stage.calls.push(name);
    stage.onCall(name);
  };
  const show = async (name: string, { pace, skipped }: Showing) => {
    called(name);
    if (!stage.isHolding || pace === 'instant' || skipped.aborted) return;
    await new Promise<void>((resolve) => skipped.addEventListener('abort', () => resolve()));
  };
  const stage: FakeStage = {
    calls: [],
    celebrated: [],
    cards: [],
    shownLines: [],
    board: undefined,
    scene: 'base',
    multiplier: undefined,
    areReelsTurning: false,
    savesBattery: false,
    onCall: () => {},
    isHolding: false,
    async load(onProgress) {
      called('load');
      onProgress(0.5);
      onProgress(1);
    },
    enter: () => called('enter'),
    showBoard(board) {
      stage.board = board;
      stage.areReelsTurning = false;
      called('showBoard');
    },
    startReels() {
      stage.areReelsTurning = true;
      called('startReels');
    },
    async stopReels(board, _anticipation, showing) {
      await show('stopReels', showing);
      stage.board = board;
      stage.areReelsTurning = false;
    },
    showLineWins: (_wins, _write, showing) => show('showLineWins', showing),
    showLine(win, amount) {
      stage.shownLines.push({ line: win.line, amount });
      called('showLine');
    },
    symbolAt: ({ x, y }) => (x < 5 && y < 3 ? { reel: x, row: y, box: { x, y, width: 1, height: 1 } } : undefined),
    markLines: () => called('markLines'),
    clearWins: () => called('clearWins'),
    async celebrate(win, showing) {
      stage.celebrated.push(win);
      // A drawn count does the same: in between there are fractions of a micro.
      for (const part of [0, 1 / 3, 2 / 3]) {
        const micros = win.fromMicros + (win.toMicros - win.fromMicros) * part;
        win.onCount(micros);
        win.write(micros);
      }
      await show('celebrate', showing);
      win.onCount(win.toMicros);
    },
    pulse: (_positions, showing) => show('pulse', showing),
    async changeScene(scene, showing) {
      await show('changeScene', showing);
      stage.scene = scene;
    },
    async announce(card, showing) {
      stage.cards.push(card);
      await show('announce', showing);
    },
    async setMultiplier(multiplier, _positions, showing) {
      await show('setMultiplier', showing);
      stage.multiplier = multiplier;
    },
    saveBattery(on) {
      stage.savesBattery = on;
    },
    resize: () => called('resize'),
    destroy: () => called('destroy'),
  };
  return stage;
}

export type FakePage = Page & {
  readonly kept: Map<string, string>;
  reloads: number;
  /** Another page takes the session of the game. */
  takeSession(): void;
  /** The game has left for these pages. */
  readonly left: string[];
  /** The game has opened these pages in a new tab. */
  readonly tabs: string[];
  readonly saved: { readonly name: string; readonly text: string }[];
  online: boolean;
  press(key: GameKey): boolean;
  goOnline(online: boolean): void;
  comeBack(): void;
};

export function createFakePage(): FakePage {
  const keyListeners = new Set<(key: GameKey) => boolean>();
  const onlineListeners = new Set<(online: boolean) => void>();
  const fullscreenListeners = new Set<() => void>();
  const returnListeners = new Set<() => void>();
  let isFullscreen = false;
  const listen = <T>(listeners: Set<T>, listener: T) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const page: FakePage = {
    kept: new Map(),
    reloads: 0,
    left: [],
    tabs: [],
    saved: [],
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
    onReturn: (listener) => listen(returnListeners, listener),
    onKey: (listener) => listen(keyListeners, listener),
    reload: () => {
      page.reloads += 1;
    },
    leave: (url) => void page.left.push(url),
    openTab: (url) => void page.tabs.push(url),
    takeSession() {},
    holdSession: (client) =>
      new Promise((resolve) => {
        page.takeSession = () => {
          client.close();
          resolve();
        };
      }),
    saveFile: (name, text) => void page.saved.push({ name, text }),
    press: (key) => [...keyListeners].map((listener) => listener(key)).some(Boolean),
    comeBack() {
      for (const listener of returnListeners) listener();
    },
    goOnline(online) {
      page.online = online;
      for (const listener of onlineListeners) listener(online);
    },
  };
  return page;
}

type Timer = { readonly dueMs: number; readonly run: () => void };

/** Makes virtual time: the next timer runs when nothing else is left to do. */
export function createVirtualClock(): Clock {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let isPumping = false;

  const pump = () => {
    const [next] = [...timers].sort((left, right) => left.dueMs - right.dueMs);
    isPumping = next !== undefined;
    if (!next) return;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.dueMs);
    next.run();
    setTimeout(pump, 0);
  };
  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const timer = { dueMs: nowMs + delayMs, run };
      timers.add(timer);
      if (!isPumping) setTimeout(pump, 0);
      isPumping = true;
      return () => timers.delete(timer);
    },
  };
}
