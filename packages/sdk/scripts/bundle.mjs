// Bundles the SDK, for the build and for the measurement. The contract is inlined, so that the SDK
// has no dependencies.
import path from 'node:path';
import { build } from 'vite';

export const packageFolder = path.join(import.meta.dirname, '..');
/** A game imports these: files of src/, and `exports` of package.json. */
export const ENTRIES = ['index', 'duties', 'events', 'fairness', 'fun', 'grants', 'input'];
export const source = (name) => path.join(packageFolder, 'src', `${name}.ts`);

/** Newer syntax is rewritten. Every browser of the last years runs this one. */
const TARGET = 'es2022';

const common = { root: packageFolder, configFile: false, logLevel: 'warn', publicDir: false };

/** Writes the entries as ES modules, readable: whoever bundles them minifies them. */
export function buildModules({ outDir }) {
  return build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      sourcemap: true,
      minify: false,
      lib: { entry: Object.fromEntries(ENTRIES.map((name) => [name, source(name)])), formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' } },
    },
  });
}

/** Writes all entries as one script that makes the global `Roundhouse`. */
export function buildPlainScript({ outDir }) {
  return build({ ...common, build: { ...plainScriptOptions('plainScript'), outDir, emptyOutDir: false } });
}

/**
 * Bundles and minifies all that a file of src/ exports. Returns the code, and the modules that it
 * holds.
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
    // The tag of a namespace of modules costs 37 bytes, and nobody reads it.
    rolldownOptions: { output: { generatedCode: { symbols: false } } },
  };
}
