import { readHandover } from './handover.ts';
import { Roundhouse } from './roundhouse.ts';
import { SlotPage } from './slotPage.ts';
import { test as base } from './test.ts';

type SlotFixtures = {
  slot: SlotPage;
  /** The command line of the stack. */
  roundhouse: Roundhouse;
};

/** For the demo slot on the stack of `npm start`. */
export const test = base.extend<SlotFixtures>({
  slot: async ({ page }, use) => use(new SlotPage(page)),
  roundhouse: async ({ game }, use) => use(new Roundhouse(readHandover().stacks[game].dataFolder)),
});

/**
 * The picture on a quarter of the pixels, with few frames and as little motion as the game can do with, because each pixel is drawn by
 * the processor. For tests that look at neither: where things lie, and what they say, is the same.
 */
export const HALF_PIXELS = { deviceScaleFactor: 0.5, contextOptions: { reducedMotion: 'reduce' } } as const;

/** A phone on its side, with all buttons on few pixels. */
export const SMALL = { ...HALF_PIXELS, viewport: { width: 680, height: 320 } } as const;

export { expect } from '@playwright/test';
