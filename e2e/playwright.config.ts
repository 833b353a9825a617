import { defineConfig } from '@playwright/test';
import { findHandover } from './support/handover.ts';

/** Is undefined until the global set-up has run: the processes that run the tests have it. */
const handover = findHandover();

export default defineConfig({
  projects: [
    { name: 'pages', testDir: 'tests' },
    {
      // A studio gets these tests with its game. They run on the game that is made here of the
      // template.
      name: 'template',
      testDir: '../games/clusters/project/e2e',
      use: handover
        ? { baseURL: new URL(handover.stacks.clusters.launchUrl).origin, launchOptions: handover.browser }
        : {},
    },
  ],
  // Traces and screenshots come here. git ignores the folder, and the next run empties it.
  outputDir: 'test-results',
  preserveOutput: 'always',
  globalSetup: './support/globalSetup.ts',
  // More than the cores of a small machine: most of a test is waiting for what moves.
  workers: 3,
  fullyParallel: true,
  // Nothing is retried: a test that passes only on repetition has found a bug.
  retries: 0,
  forbidOnly: true,
  // Most take some seconds. A slot whose picture is drawn by the processor needs many times that on
  // a busy machine.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // No video is recorded: it costs processor time in every test, also in those that pass.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
});
