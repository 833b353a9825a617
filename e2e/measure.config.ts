import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

/**
 * Measurements, which assert nothing: `npm run proof -- measure`. One at a time, so that they do not share
 * the processor.
 */
export default defineConfig({
  ...tests,
  testDir: 'measure',
  testMatch: '*.measure.ts',
  workers: 1,
  fullyParallel: false,
});
