import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'sdk',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    // A test is done in a tenth of a second, and in many times that where others have the cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    // The workers load what the files import once.
    isolate: false,
    setupFiles: 'test/support/setUpFile.ts',
  },
});
