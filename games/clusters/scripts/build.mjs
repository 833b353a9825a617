// Makes a project of the template `clusters` as a studio does, and of it the game folder dist/.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('../', import.meta.url));
// Below this package, so that the imports of the game are found in its node_modules.
const project = path.join(here, 'project');
const gameFolder = path.join(here, 'dist');
const require = createRequire(import.meta.url);
const fileOf = (name, file) => path.join(path.dirname(require.resolve(`${name}/package.json`)), file);

for (const folder of [project, gameFolder]) rmSync(folder, { recursive: true, force: true });
const title = ['--name', 'Coral Cascade', '--id', 'coral-cascade'];
run(fileOf('create-roundhouse-game', 'bin/create-roundhouse-game.js'), [
  ...['project', '--template', 'clusters', ...title, '--yes', '--no-install'],
]);
// The project's own configuration is left out: its plugin serves the game under `vite` only, and
// would make the server a part of this build.
const outDir = path.join(gameFolder, 'frontend');
await build({ root: project, configFile: false, base: './', logLevel: 'warn', build: { outDir } });
run(fileOf('tsx', 'dist/cli.mjs'), ['math/publish.ts', gameFolder], project);

function run(script, args, cwd = here) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${path.basename(script)} ${args.join(' ')} ended with exit code ${status}`);
}
