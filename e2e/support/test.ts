import { test as base, type LaunchOptions } from '@playwright/test';
import { readHandover } from './handover.ts';
import { PageWatch } from './pageWatch.ts';
import { PlayerPage } from './playerPage.ts';
import { RgsServer } from './server.ts';
import type { Stack } from './stack.ts';

/**
 * `aurora-line` is the demo slot. `sample-lines` is a game without a front end, so the server's own
 * page plays it.
 */
export type Game = 'aurora-line' | 'sample-lines';

type Fixtures = {
  /** It is the game of the test. */
  game: Game;
  stack: Stack;
  /** The server printed this launch URL. Its player is one for all tests. */
  launchUrl: string;
  /** The reference operator serves it. */
  lobbyUrl: string;
  /** The page may send requests to these hosts. */
  origins: readonly string[];
  server: RgsServer;
  player: PlayerPage;
  /** Every test checks it at its end. */
  watch: PageWatch;
};

export const test = base.extend<Fixtures, { launchOptions: LaunchOptions }>({
  // biome-ignore-start lint/correctness/noEmptyPattern: Playwright reads fixtures from the pattern.
  launchOptions: [async ({}, use) => use(readHandover().browser), { scope: 'worker' }],
  stack: async ({}, use) => use(readHandover().stack),
  // biome-ignore-end lint/correctness/noEmptyPattern: see above
  game: ['aurora-line', { option: true }],
  launchUrl: async ({ stack, game }, use) => use(stack.launchUrls[game] ?? ''),
  lobbyUrl: async ({ stack }, use) => use(stack.lobbyUrl),
  origins: async ({ server }, use) => use([server.origin]),
  server: async ({ stack, game }, use) => use(new RgsServer(stack.origin, game)),
  player: async ({ page }, use) => use(new PlayerPage(page)),
  watch: [
    async ({ page, origins }, use) => {
      const watch = new PageWatch(page, origins);
      await PageWatch.watchReading(page);
      await use(watch);
      watch.verify();
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
