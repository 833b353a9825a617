import { test as base, type LaunchOptions } from '@playwright/test';
import { type Game, readHandover } from './handover.ts';
import { PageWatch } from './pageWatch.ts';
import { PlayerPage } from './playerPage.ts';
import { RgsServer } from './server.ts';

type Fixtures = {
  /** It is the stack of the test. */
  game: Game;
  /** The stack printed this launch URL. Its player is one for all tests. */
  launchUrl: string;
  /** The reference operator of the same stack serves it. */
  lobbyUrl: string;
  /** The page may send requests to these hosts. */
  origins: readonly string[];
  server: RgsServer;
  player: PlayerPage;
  /** Every test checks it at its end. */
  watch: PageWatch;
};

export const test = base.extend<Fixtures, { launchOptions: LaunchOptions }>({
  // biome-ignore-start lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures one needs
  launchOptions: [async ({}, use) => use(readHandover().browser), { scope: 'worker' }],
  // biome-ignore-end lint/correctness/noEmptyPattern: see above
  game: ['demo', { option: true }],
  launchUrl: async ({ game }, use) => use(readHandover().stacks[game].launchUrl),
  lobbyUrl: async ({ game }, use) => use(readHandover().stacks[game].lobbyUrl),
  origins: async ({ server }, use) => use([server.origin]),
  server: async ({ launchUrl }, use) => use(new RgsServer(new URL(launchUrl).origin)),
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
