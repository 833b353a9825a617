import { defineConfig } from 'vite';

export default defineConfig(async ({ command }) => ({
  root: import.meta.dirname,
  base: './',
  // `vite` alone shows the page with a fake operator, which no build contains.
  plugins: command === 'serve' ? [(await import('./fakeOperator.ts')).fakeOperator()] : [],
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  build: {
    outDir: '../dist/lobby',
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
