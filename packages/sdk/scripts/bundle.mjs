// How the SDK is bundled, for the build and for the measurement. The contract is inlined: it is not
// published.
import path from 'node:path';
import { build } from 'vite';

export const packageFolder = path.join(import.meta.dirname, '..');
const source = (name) => path.join(packageFolder, 'src', `${name}.ts`);

/** The newest syntax that is left as it is. Every browser of the last years runs it. */
const TARGET = 'es2022';

const common = { root: packageFolder, configFile: false, logLevel: 'warn', publicDir: false };

/** The two entries as ES modules, readable: whoever bundles them minifies them. */
export function buildModules({ outDir }) {
  return build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      sourcemap: true,
      minify: false,
      lib: { entry: { index: source('index'), events: source('events') }, formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' } },
    },
  });
}

/** Both entries as one script that makes the global `Roundhouse`. */
export function buildPlainScript({ outDir }) {
  return build({ ...common, build: { ...plainScriptOptions('plainScript'), outDir, emptyOutDir: false } });
}

/**
 * What a bundler makes of an entry when all of it is used, minified: the code, and the modules that
 * it holds.
 */
export async function bundleEntry(entry) {
  const [result] = await build({ ...common, build: { ...plainScriptOptions(entry), write: false, sourcemap: false } });
  const { code, moduleIds, imports } = result.output[0];
  const repository = path.join(packageFolder, '../..');
  return { code, modules: moduleIds.map((id) => path.relative(repository, id)).concat(imports) };
}

function plainScriptOptions(entry) {
  return {
    target: TARGET,
    sourcemap: true,
    minify: 'oxc',
    lib: { entry: source(entry), formats: ['iife'], name: 'Roundhouse', fileName: () => 'roundhouse.js' },
    // Without the tag that a namespace of modules has: 37 bytes, and nobody reads it.
    rolldownOptions: { output: { generatedCode: { symbols: false } } },
  };
}
