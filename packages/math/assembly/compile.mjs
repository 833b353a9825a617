// Compiles skipContainer.ts to WebAssembly: writes src/read/json/generated/skipContainer.ts.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import asc from 'assemblyscript/asc';

const generated = new URL('../src/read/json/generated/', import.meta.url);
const text = await readFile(new URL('skipContainer.ts', import.meta.url), 'utf8');
/** @type {Uint8Array | undefined} */
let code;
const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort=', '--enable', 'simd', '--enable', 'threads'];
// It is at least the maximum of the memory that the code is given, in pages of 64 KB.
flags.push('--importMemory', '--sharedMemory', '--maximumMemory', '2048');
const { error, stderr } = await asc.main(['skipContainer.ts', '-o', 'skipContainer.wasm', ...flags], {
  readFile: (name) => (name === 'skipContainer.ts' ? text : null),
  writeFile: (name, contents) => {
    if (name === 'skipContainer.wasm') code = /** @type {Uint8Array} */ (contents);
  },
  listFiles: () => [],
});
if (error !== null || code === undefined) throw new Error(stderr.toString(), { cause: error });
const base64 = Buffer.from(code).toString('base64');
await mkdir(generated, { recursive: true });
await writeFile(new URL('skipContainer.ts', generated), `export const skipContainerCode = '${base64}';\n`);
