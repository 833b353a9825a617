import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseBrowser } from './browser.ts';
import { handOver } from './handover.ts';
import { startStack } from './stack.ts';

/**
 * The first one is the game of requests that name none, as the tests of the template do. The slot
 * has its small edition, because each book is read and stored at the start.
 */
const GAMES = ['games/clusters/dist', 'apps/server/pages/demo-slot', 'games/sample/dist'].map((folder) =>
  fileURLToPath(new URL(`../../${folder}`, import.meta.url)),
);

/**
 * Returns one browser choice and one stack for the whole run. The returned function runs at its
 * end, whether tests failed or not.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const [browser, { stack, stop }] = await Promise.all([
    chooseBrowser(),
    startStack('--default-games', GAMES.join(path.delimiter)),
  ]);
  console.log(`Browser: ${browser.description}\nServer: ${stack.origin}`);
  handOver({ browser: browser.launchOptions, stack });
  return stop;
}
