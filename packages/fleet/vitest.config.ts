import { defineConfig } from 'vitest/config';
import { SOURCES } from '../../vitest.sources.ts';

export default defineConfig({
  test: {
    name: 'fleet',
    alias: SOURCES,
    include: ['src/**/*.test.ts'],
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
  },
});
