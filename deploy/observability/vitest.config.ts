import { defineConfig } from 'vitest/config';

export default defineConfig({
  // promtool takes a second, and many times that where others have the cores.
  test: { name: 'observability', include: ['src/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
