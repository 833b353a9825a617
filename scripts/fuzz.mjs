// `npm run fuzz -- --requests 1000000 --seed 7`: the long form of the fuzz of a production server on plain sockets. The short form
// runs in `npm test`. `--seed 7 --only 4711` sends one of its exchanges once more.
import { build, fail, install, requireNode, run } from './bootstrap.mjs';
import { readNumbers } from './numberOptions.mjs';

requireNode();
const { requests, seed, only } = readNumbers({ requests: 100_000, seed: 1, only: undefined });
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');
const chosen = { ...environment, FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed) };
if (only !== undefined) chosen.FUZZ_ONLY = String(only);
process.exit(await run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', 'test/fuzz'], chosen));
