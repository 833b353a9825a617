import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'operator',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'lobby/**/*.test.{ts,tsx}'],
    globalSetup: 'test/support/globalSetup.ts',
    // Processes and not threads: some tests send signals, and each file gets its own connections.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
