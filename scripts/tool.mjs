// `npm run bench`, `measure`, `newgame`, `chaos`, `failover`, `faults`, `patroni`, `soak`, `fuzz`:
// builds, then runs the tool with the arguments that follow `--`. Short forms of chaos, failover,
// soak and fuzz run in `npm test`.
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, run } from './bootstrap.mjs';

const MOST = 2 ** 31 - 1;
const [name, ...args] = process.argv.slice(2);
// The results alone go to our standard output, so that JSON can be handed on.
const toStandardError = { stdio: ['inherit', 2, 2] };

/** Each ends with its exit code. */
const TOOLS = {
  bench: () => runBench('main'),
  /** Two nodes under load for a long time: `--minutes 60`. */
  soak: () => runBench('soak'),
  /** What the SDK adds to a game, and what the demo slot costs a player to open. */
  async measure() {
    const environment = await built(toStandardError);
    const sizes = await run(process.execPath, ['packages/sdk/scripts/measureSize.mjs'], environment);
    if (sizes !== 0) return sizes;
    const playwright = ['exec', 'playwright', 'test', '--config=measure.config.ts', '--reporter=line'];
    return run('pnpm', ['--dir', 'e2e', ...playwright], environment);
  },
  /** From `npm create` to a spin in a browser, with the packages as they are published. */
  async newgame() {
    const environment = await built();
    return run(
      'pnpm',
      ['--dir', 'e2e', 'exec', 'playwright', 'test', '--config=newGame.config.ts', ...args],
      environment,
    );
  },
  /** Simulated players while everything fails: `--rounds 50000 --seed 7`. */
  async chaos() {
    const { rounds, seed } = readNumbers({ rounds: 50_000, seed: 1 });
    return runTests('chaos', { CHAOS_ROUNDS: rounds, CHAOS_SEED: seed });
  },
  /** The primary database fails and its standby takes over: `--times 30 --seed 7`. */
  async failover() {
    const { times, seed } = readNumbers({ times: 30, seed: 1 });
    return runTests('failover/failover', { FAILOVER_TIMES: times, FAILOVER_SEED: seed });
  },
  /** The same with a cluster of Patroni, of the packages of Debian: `--times 5 --seed 7`. */
  async patroni() {
    const { times, seed } = readNumbers({ times: 5, seed: 1 });
    return runTests('failover/patroni', { PATRONI_TIMES: times, PATRONI_SEED: seed });
  },
  /** One database restarts, ends connections, is slow, has a full disk: `--times 3 --seed 7`. */
  async faults() {
    const { times, seed } = readNumbers({ times: 3, seed: 1 });
    return runTests('failover/faults', { FAULTS_TIMES: times, FAULTS_SEED: seed });
  },
  /**
   * Random requests: `--requests 1000000 --seed 7`; `--seed 7 --only 4711` sends one exchange
   * again.
   */
  async fuzz() {
    const { requests, seed, only } = readNumbers({ requests: 100_000, seed: 1, only: undefined });
    return runTests('fuzz', { FUZZ_REQUESTS: requests, FUZZ_SEED: seed, FUZZ_ONLY: only });
  },
};

requireNode();
process.exit(await TOOLS[name]());

async function runBench(file) {
  const environment = await built(toStandardError);
  const compiled = await run('tsc', ['-p', 'apps/server/tsconfig.bench.json'], environment, toStandardError);
  if (compiled !== 0) fail('The bench does not compile: see above');
  return run(process.execPath, [`apps/server/dist-bench/${file}.js`, ...args], environment);
}

async function built(options) {
  const environment = install();
  if ((await build(environment, options)) !== 0) fail('The build failed: see above');
  return environment;
}

async function runTests(folder, settings) {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const chosen = Object.fromEntries(given.map(([variable, value]) => [variable, String(value)]));
  console.log(chosen);
  const environment = { ...(await built()), ...chosen };
  return run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', `test/${folder}`], environment);
}

/** Whole numbers from the command line, by name. */
function readNumbers(defaults) {
  try {
    const options = Object.fromEntries(Object.keys(defaults).map((option) => [option, { type: 'string' }]));
    const { values } = parseArgs({ args, options });
    const given = Object.entries(values).map(([option, text]) => [option, wholeNumber(option, text)]);
    return { ...defaults, ...Object.fromEntries(given) };
  } catch (error) {
    return fail(error.message);
  }
}

function wholeNumber(option, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST) return number;
  throw new Error(`--${option} is a whole number from 1 to ${MOST}.`);
}
