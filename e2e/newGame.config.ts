import { defineConfig } from '@playwright/test';

/** `npm run proof -- newgame` tests a new user's first minutes with the published packages. */
export default defineConfig({
  testDir: 'newGame',
  workers: 1,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'line',
});
