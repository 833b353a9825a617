import { defineConfig } from 'vitest/config';
import { SOURCES } from '../../vitest.sources.ts';

export default defineConfig({
  // The page is served at /<game>/<version>/ of any host.
  base: './',
  build: {
    target: 'es2022',
    // The content security policy allows only files of the same host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { name: 'player', alias: SOURCES, include: ['src/**/*.test.ts'], testTimeout: 300_000 },
});
