import { chooseBrowser } from './browser.ts';
import { handOver } from './handover.ts';
import { startStack } from './stack.ts';

/** One browser choice and one stack for the whole run. What is returned runs at its end, whether tests failed or not. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const browser = await chooseBrowser();
  console.log(`Browser: ${browser.description}`);
  const stack = await startStack();
  console.log(`Stack: ${new URL(stack.launchUrl).origin}`);
  handOver({ browser: browser.launchOptions, launchUrl: stack.launchUrl });
  return stack.stop;
}
