// `npm run build` puts everything that is published into dist/ or the folder of --outDir.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildModules, buildPlainScript, packageFolder } from './bundle.mjs';
import { buildDeclarations } from './declarations.mjs';

const { values } = parseArgs({
  options: {
    outDir: { type: 'string', default: path.join(packageFolder, 'dist') },
    // `programs` or `types`; without it both.
    only: { type: 'string' },
  },
});
const outDir = path.resolve(values.outDir);

if (values.only !== 'types') {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await Promise.all([buildModules({ outDir }), buildPlainScript({ outDir })]);
}
if (values.only !== 'programs') await buildDeclarations({ outDir });
