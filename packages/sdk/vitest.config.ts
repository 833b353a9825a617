import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'sdk',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    // A test is done in a tenth of a second, and in many times that where others have the cores.
    testTimeout: 30_000,
  },
});
