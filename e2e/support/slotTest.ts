import type { Page } from '@playwright/test';
import { readHandover } from './handover.ts';
import { Roundhouse } from './roundhouse.ts';
import { SlotPage } from './slotPage.ts';
import { test as base } from './test.ts';

type SlotFixtures = {
  /** At most this many frames of the picture a second; 0 for as many as the browser makes. What moves lasts as long as ever. */
  framesPerSecond: number;
  /** How many times as fast as ever the picture moves, where it has few frames. The rest of the page has the time that it is. */
  speed: number;
  /** The browser has no sound, as some have none: to make that of the game takes seconds of a core after each start. */
  silent: boolean;
  slot: SlotPage;
  /** The command line of the stack. */
  roundhouse: Roundhouse;
};

/** For the demo slot on the stack of `npm start`. */
export const test = base.extend<SlotFixtures>({
  framesPerSecond: [0, { option: true }],
  speed: [1, { option: true }],
  silent: [false, { option: true }],
  page: async ({ page, framesPerSecond, speed, silent }, use) => {
    if (silent) await page.addInitScript(() => Reflect.deleteProperty(window, 'AudioContext'));
    if (framesPerSecond > 0) await drawSlowly(page, framesPerSecond, speed);
    await use(page);
  },
  slot: async ({ page }, use) => use(new SlotPage(page)),
  roundhouse: async ({ game }, use) => use(new Roundhouse(readHandover().stacks[game].dataFolder)),
});

/**
 * The picture on a quarter of the pixels, with few frames, soon over, and with as little motion as the game can do with, because each
 * pixel is drawn by the processor, and no sound. For tests that look at none of it: where things lie, and what they say, is the same.
 */
export const HALF_PIXELS = {
  framesPerSecond: 6,
  speed: 3,
  silent: true,
  deviceScaleFactor: 0.5,
  contextOptions: { reducedMotion: 'reduce' },
} as const;

/** A phone on its side, with all buttons on few pixels. */
export const SMALL = { ...HALF_PIXELS, viewport: { width: 680, height: 320 } } as const;

/** Before the page is opened. */
async function drawSlowly(page: Page, framesPerSecond: number, speed: number): Promise<void> {
  const pace = { everyMs: 1000 / framesPerSecond, speed };
  await page.addInitScript(({ everyMs, speed }) => {
    // One glow of a button that never ends has the browser draw everything sixty times a second.
    const once = new CSSStyleSheet();
    once.replaceSync('*, ::before, ::after { animation-iteration-count: 1 !important }');
    document.adoptedStyleSheets.push(once);
    const { requestAnimationFrame, cancelAnimationFrame } = window;
    const timers = new Map<number, number>();
    const frames = new Map<number, number>();
    let last = 0;
    window.requestAnimationFrame = (callback) => {
      last += 1;
      const id = last;
      const draw = () => {
        timers.delete(id);
        const frame = requestAnimationFrame((timeMs) => {
          frames.delete(id);
          callback(timeMs * speed);
        });
        frames.set(id, frame);
      };
      timers.set(id, window.setTimeout(draw, everyMs - (performance.now() % everyMs)));
      return id;
    };
    window.cancelAnimationFrame = (id) => {
      window.clearTimeout(timers.get(id));
      cancelAnimationFrame(frames.get(id) ?? 0);
      timers.delete(id);
      frames.delete(id);
    };
  }, pace);
}

export { expect } from '@playwright/test';
