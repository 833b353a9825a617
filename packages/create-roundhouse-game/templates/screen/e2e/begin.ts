import type { Page } from '@playwright/test';

/** Goes from the introduction into the game. */
export async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
}
