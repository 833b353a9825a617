import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  // Traces and screenshots. Ignored by git, emptied by the next run.
  outputDir: 'test-results',
  preserveOutput: 'always',
  globalSetup: './support/globalSetup.ts',
  // More than the cores of a small machine: most of a test is waiting for what moves.
  workers: 3,
  fullyParallel: true,
  // No retries: a test that passes only on repetition has found a bug.
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
    // Without a video, which costs processor time in every test, also in those that pass.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
});
