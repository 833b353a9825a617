import { defineConfig } from '@playwright/test';

/** A new user's first minutes, from the packages as they are published: `npm run proof -- newgame`. */
export default defineConfig({
  testDir: 'newGame',
  workers: 1,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'line',
});
