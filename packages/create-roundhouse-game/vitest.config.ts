import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'create-roundhouse-game',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
