// `pnpm chaos --rounds 50000 --seed 7`: the long form of the simulation in which everything fails, on the reference operator. The
// short form runs in `npm test`.
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, run } from './bootstrap.mjs';

const MOST = 2 ** 31 - 1;

requireNode();
const { rounds, seed } = readOptions();
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');
const chosen = { ...environment, CHAOS_ROUNDS: String(rounds), CHAOS_SEED: String(seed) };
console.log(`\n${rounds} rounds, seed ${seed}`);
process.exit(await run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', 'test/chaos'], chosen));

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { rounds: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
    });
    return { rounds: wholeNumber('rounds', values.rounds), seed: wholeNumber('seed', values.seed) };
  } catch (error) {
    return fail(error.message);
  }
}

function wholeNumber(name, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST) return number;
  throw new Error(`--${name} is a whole number from 1 to ${MOST}.`);
}
