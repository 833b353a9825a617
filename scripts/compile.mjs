// Compiles src/ of the package in whose folder it runs to dist/. It checks nothing: `check:types`
// does. Declarations are apart, because they take ten times as long and no program needs them.
//   node ../../scripts/compile.mjs           programs
//   node ../../scripts/compile.mjs --types   their declarations, which need those of other packages
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
const isTypes = process.argv.includes('--types');
if (!isTypes) rmSync('dist', { recursive: true, force: true });
// A program needs no other file, so the compiler reads none: neither libraries nor packages.
const kind = isTypes ? ['--emitDeclarationOnly'] : ['--declaration', 'false', '--noResolve'];
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck', ...kind], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
