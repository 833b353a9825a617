import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'operator',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'lobby/**/*.test.{ts,tsx}'],
    globalSetup: 'test/support/globalSetup.ts',
    // Tests run in processes, not threads: some send signals.
    pool: 'forks',
    // Each file has its own database and operator; shared modules load once.
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
  },
});
