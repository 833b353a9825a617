import type { Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    axe: typeof axe;
  }
}

/** What axe's rules find wrong on the page as it is: each rule with the elements that break it. */
export async function axeViolations(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(() => window.axe.run());
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}
