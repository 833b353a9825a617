import type { Page } from '@playwright/test';
import { SlotPage } from './slotPage.ts';
import { test as base } from './test.ts';

type SlotFixtures = {
  /** The most frames a second of the picture; 0 means no limit. Durations stay the same. */
  framesPerSecond: number;
  /** The factor by which the picture's time runs faster. The rest of the page keeps real time. */
  speed: number;
  /**
   * The browser has no sound: making the game's sounds takes seconds of a core after each start.
   */
  silent: boolean;
  /** WebGL draws nothing: the processor would draw each pixel. The page around it is the same. */
  blank: boolean;
  slot: SlotPage;
  /** A second tab of the same browser. */
  otherSlot: SlotPage;
};

type Shown = Pick<SlotFixtures, 'framesPerSecond' | 'speed' | 'silent' | 'blank'>;

/** Runs the demo slot on the stack of `npm start`. */
export const test = base.extend<SlotFixtures>({
  framesPerSecond: [0, { option: true }],
  speed: [1, { option: true }],
  silent: [false, { option: true }],
  blank: [false, { option: true }],
  page: async ({ page, framesPerSecond, speed, silent, blank }, use) => {
    await prepare(page, { framesPerSecond, speed, silent, blank });
    await use(page);
  },
  slot: async ({ page }, use) => use(new SlotPage(page)),
  otherSlot: async ({ context, framesPerSecond, speed, silent, blank }, use) => {
    const page = await context.newPage();
    await prepare(page, { framesPerSecond, speed, silent, blank });
    await use(new SlotPage(page));
  },
});

async function prepare(page: Page, { framesPerSecond, speed, silent, blank }: Shown): Promise<void> {
  if (blank) await drawNothing(page);
  if (silent) await page.addInitScript(() => Reflect.deleteProperty(window, 'AudioContext'));
  if (framesPerSecond > 0) await drawSlowly(page, framesPerSecond, speed);
}

/**
 * Is fast: few frames, little motion, an empty picture and no sound. It is for tests that do not
 * look at the picture. Layout and texts are the same.
 */
export const HALF_PIXELS = {
  framesPerSecond: 6,
  speed: 3,
  silent: true,
  blank: true,
  deviceScaleFactor: 0.5,
  contextOptions: { reducedMotion: 'reduce' },
} as const;

/** Is a phone on its side: all buttons are on few pixels. */
export const SMALL = { ...HALF_PIXELS, viewport: { width: 680, height: 320 } } as const;

/**
 * Call it before the page is opened. Shaders and programs stay, because Pixi asks what they consist
 * of.
 */
async function drawNothing(page: Page): Promise<void> {
  await page.addInitScript((names) => {
    for (const name of names) Reflect.set(WebGL2RenderingContext.prototype, name, () => undefined);
  }, DRAWING);
}

/** Pixi draws with these. */
const DRAWING = ['clear', 'drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];

/** Call it before the page is opened. */
async function drawSlowly(page: Page, framesPerSecond: number, speed: number): Promise<void> {
  const pace = { everyMs: 1000 / framesPerSecond, speed };
  await page.addInitScript(({ everyMs, speed }) => {
    // An endless glow of a button makes the browser draw everything sixty times a second.
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
