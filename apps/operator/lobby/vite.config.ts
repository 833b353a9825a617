import { defineConfig } from 'vite';

export default defineConfig(async ({ command }) => ({
  root: import.meta.dirname,
  base: './',
  // `vite` alone shows the page without an operator behind it; a build never meets the fake.
  plugins: command === 'serve' ? [(await import('./dev/fakeHouse.ts')).fakeHouse()] : [],
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  build: {
    outDir: '../dist/lobby',
    emptyOutDir: true,
    target: 'es2022',
    // What is written into a data: address would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
