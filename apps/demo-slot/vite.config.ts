import { defineConfig, type Plugin } from 'vite';

/** The chunks that every player needs besides the first. Words come in the player's language alone, sound after the first touch. */
const PICTURE_CHUNKS = /\/src\/view\/(createStage|art\/artTexts)\.ts$/;

/**
 * The page asks for the picture only when its first script runs. Named in the page itself, the large half of the download starts
 * together with the small one.
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
  // The game lies at /<game>/<version>/ of a host that it does not know.
  base: './',
  plugins: [preloadPicture()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/frontend',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 1024,
    // Every browser that the target names knows modulepreload.
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 800,
  },
});
