import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Properties take a fraction of a second, and many times that where others have the cores.
  test: {
    name: 'contract',
    include: ['{src,test}/**/*.test.ts'],
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
