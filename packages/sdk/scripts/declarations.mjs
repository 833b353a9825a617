// The declarations of the package, one file for each entry. The contract is not published, so its
// types are inlined.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { packageFolder } from './bundle.mjs';
import { wireDeclarations } from './wireDeclarations.mjs';

const CONTRACT = '@roundhouse/contract/light';
const contractFolder = path.join(packageFolder, 'node_modules/@roundhouse/contract/dist');

export async function buildDeclarations({ outDir }) {
  // Inside the package, so that TypeScript finds the packages that are imported.
  const folder = await mkdtemp(path.join(packageFolder, 'node_modules/.declarations-'));
  try {
    const wireFile = path.join(folder, 'wire.d.ts');
    await writeFile(wireFile, wireDeclarations());
    const bundle = await rollup({
      input: ['index', 'events'].map((name) => path.join(packageFolder, `src/${name}.ts`)),
      plugins: [inlineContract(wireFile), dts({ tsconfig: path.join(packageFolder, 'tsconfig.build.json') })],
      onwarn: ({ message }) => {
        throw new Error(message);
      },
    });
    await bundle.write({ dir: outDir, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Finds the declarations of the contract, and takes the plain types in place of those that zod
 * infers.
 */
function inlineContract(wireFile) {
  return {
    name: 'inline-contract',
    resolveId(specifier, importer = '') {
      if (specifier === CONTRACT) return path.join(contractFolder, 'light.d.ts');
      if (!importer.startsWith(contractFolder)) return null;
      if (['./fields.ts', './schemas.ts'].includes(specifier)) return wireFile;
      return path.join(contractFolder, specifier.replace(/\.ts$/, '.d.ts'));
    },
  };
}
