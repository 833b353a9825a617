import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Some tests go through every book, which takes seconds on a busy machine.
  test: {
    name: 'sample-game',
    include: ['src/**/*.test.ts'],
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
