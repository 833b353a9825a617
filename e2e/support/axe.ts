import type { Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    axe: typeof axe;
  }
}

/**
 * Returns what axe's rules find wrong on the page: each rule with the elements that break it. axe
 * does not see elements that fade in, so this waits for every animation that has an end.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const hasEnd = ({ playState, effect }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return Promise.allSettled(
      document
        .getAnimations()
        .filter(hasEnd)
        .map(({ finished }) => finished),
    ).then(() => undefined);
  });
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(() => window.axe.run());
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}
