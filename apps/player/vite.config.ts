import { defineConfig } from 'vitest/config';
import { SOURCES } from '../../vitest.sources.ts';

export default defineConfig({
  // The page is served at /<game>/<version>/ of any host.
  base: './',
  build: {
    target: 'es2022',
    // The content security policy of the page allows only files from the page's host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { name: 'player', alias: SOURCES, include: ['src/**/*.test.ts'], testTimeout: 300_000 },
});
