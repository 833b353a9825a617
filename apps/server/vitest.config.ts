import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.{ts,js}', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    // Processes and not threads: some tests send signals, and each file gets its own connections and its own clock.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
