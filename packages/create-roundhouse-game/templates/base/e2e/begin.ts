import type { Page } from '@playwright/test';

/** Does nothing: this game has no page before its first round. */
export async function begin(_page: Page): Promise<void> {}
