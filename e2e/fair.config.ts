import { defineConfig } from '@playwright/test';

/** `npm run proof -- fair` checks in Chromium the exports that its players have got. */
export default defineConfig({
  testDir: 'fair',
  workers: 1,
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  reporter: 'line',
});
