// `npm run bench`: builds, compiles the bench of the server, runs it with the arguments given after `--`.
import { build, fail, install, requireNode, run } from './bootstrap.mjs';

// The results alone go to our standard output, so that JSON can be handed on.
const toStandardError = { stdio: ['inherit', 2, 2] };

requireNode();
const environment = install();
if ((await build(environment, toStandardError)) !== 0) fail('The build failed: see above');
if ((await run('tsc', ['-p', 'apps/server/tsconfig.bench.json'], environment, toStandardError)) !== 0)
  fail('The bench does not compile: see above');
process.exit(await run(process.execPath, ['apps/server/dist-bench/main.js', ...process.argv.slice(2)], environment));
