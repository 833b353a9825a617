// `pnpm chaos --rounds 50000 --seed 7`: the long form of the simulation in which everything fails, on the reference operator. The
// short form runs in `npm test`.
import { build, fail, install, requireNode, run } from './bootstrap.mjs';
import { readNumbers } from './numberOptions.mjs';

requireNode();
const { rounds, seed } = readNumbers({ rounds: 50_000, seed: 1 });
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');
const chosen = { ...environment, CHAOS_ROUNDS: String(rounds), CHAOS_SEED: String(seed) };
console.log(`\n${rounds} rounds, seed ${seed}`);
process.exit(await run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', 'test/chaos'], chosen));
