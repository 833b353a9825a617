import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * Every player needs these chunks besides the first. Words come in the player's language alone,
 * sound after the first touch.
 */
const PICTURE_CHUNKS = /\/src\/view\/(createStage|art\/artTexts)\.ts$/;

/**
 * The first script of the page imports the picture. A modulepreload in the page starts both
 * downloads together.
 */
function preloadPicture(): Plugin {
  return {
    name: 'preload-picture',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).flatMap((output) => (output.type === 'chunk' ? [output] : []));
        const needed = chunks.filter((chunk) => chunk.facadeModuleId && PICTURE_CHUNKS.test(chunk.facadeModuleId));
        const files = new Set(needed.flatMap((chunk) => [chunk.fileName, ...chunk.imports]));
        for (const entry of chunks.filter((chunk) => chunk.isEntry)) {
          for (const file of [entry.fileName, ...entry.imports]) files.delete(file);
        }
        return [...files].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

export default defineConfig({
  // The game is served at /<game>/<version>/ of any host.
  base: './',
  plugins: [preloadPicture()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/frontend',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 1024,
    // Every browser of the target supports modulepreload.
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 800,
  },
  test: {
    name: 'demo-slot',
    include: ['*.test.ts', 'math/**/*.test.ts', 'src/**/*.test.ts'],
    environment: 'node',
    // Some tests go through hundreds of thousands of books, which takes seconds on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    // Pixi and the game are loaded once, and not for each file.
    isolate: false,
  },
});
