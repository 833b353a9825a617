import { defineConfig } from 'vite';

export default defineConfig({
  // The page lies at /<game>/<version>/ of a host that it does not know.
  base: './',
  build: {
    target: 'es2022',
    // The page's content security policy allows files of its own host only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
