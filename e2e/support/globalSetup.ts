import { fileURLToPath } from 'node:url';
import { chooseBrowser } from './browser.ts';
import { handOver, type RunningStack } from './handover.ts';
import { type Stack, startStack } from './stack.ts';

/** It is the small edition, because each book is read and stored at the start. */
const SMALL_DEMO = fileURLToPath(new URL('../../apps/server/pages/demo-slot', import.meta.url));
const SAMPLE_GAME = fileURLToPath(new URL('../../games/sample/dist', import.meta.url));
const CLUSTERS_GAME = fileURLToPath(new URL('../../games/clusters/dist', import.meta.url));

/**
 * Returns one browser choice and one stack a game for the whole run. What is returned runs at its
 * end, whether tests failed or not.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const browser = await chooseBrowser();
  console.log(`Browser: ${browser.description}`);
  const running: Stack[] = [];
  const start = async (...words: string[]): Promise<RunningStack> => {
    const stack = await startStack(words);
    running.push(stack);
    const { lobbyUrl, launchUrl, consoleUrl, dataFolder } = stack;
    return { lobbyUrl, launchUrl, consoleUrl, dataFolder };
  };
  const stopAll = async () => {
    await Promise.all(running.map((stack) => stack.stop()));
  };
  try {
    // They start one after the other, because each builds what is missing.
    const stacks = {
      demo: await start('--default-games', SMALL_DEMO),
      sample: await start(SAMPLE_GAME),
      clusters: await start(CLUSTERS_GAME),
    };
    for (const [game, { launchUrl }] of Object.entries(stacks)) {
      console.log(`Stack of the ${game}: ${new URL(launchUrl).origin}`);
    }
    handOver({ browser: browser.launchOptions, stacks });
  } catch (error) {
    await stopAll();
    throw error;
  }
  return stopAll;
}
