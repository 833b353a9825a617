import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

/**
 * `npm run proof -- measure` runs the measurements, which assert nothing. They run one at a time,
 * so that they do not share the processor.
 */
export default defineConfig({
  ...tests,
  testDir: 'measure',
  testMatch: '*.measure.ts',
  workers: 1,
  fullyParallel: false,
});
