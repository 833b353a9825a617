import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'fair',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
