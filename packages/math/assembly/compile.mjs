// Compiles skipContainer.ts: `node assembly/compile.mjs` writes src/json/generated/skipContainer.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const source = fileURLToPath(new URL('skipContainer.ts', import.meta.url));
export const generatedFile = fileURLToPath(new URL('../src/json/generated/skipContainer.ts', import.meta.url));

/** The text of the generated module. */
export async function compile() {
  const text = await readFile(source, 'utf8');
  /** @type {Uint8Array | undefined} */
  let code;
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--use', 'abort='];
  const { error, stderr } = await asc.main(['skipContainer.ts', '-o', 'skipContainer.wasm', ...flags], {
    readFile: (name) => (name === 'skipContainer.ts' ? text : null),
    writeFile: (name, contents) => {
      if (name === 'skipContainer.wasm') code = /** @type {Uint8Array} */ (contents);
    },
    listFiles: () => [],
  });
  if (error !== null || code === undefined) throw new Error(stderr.toString(), { cause: error });
  return `// Compiled from assembly/skipContainer.ts by assembly/compile.mjs.
export const skipContainerCode =
  '${Buffer.from(code).toString('base64')}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(generatedFile, await compile());
