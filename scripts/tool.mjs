// `npm run bench`, `measure`, `newgame`, `chaos`, `failover`, `faults`, `patroni`, `soak`, `fuzz`,
// `rng-battery`: builds, then runs the tool with the arguments that follow `--`. Short forms of
// chaos, failover, soak and fuzz run in `npm test`.
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
  /** Statistical evidence about generator and draw: `--draws 1000000 --tests 0,1`. */
  'rng-battery': () => runBench('rngBattery'),
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
};

/** Tests with more work than in `npm test`: their file or folder, and their options. */
const PROOFS = {
  /** Simulated players while everything fails. */
  chaos: { tests: 'chaos', options: { rounds: 50_000, seed: 1 } },
  /** The primary database fails and its standby takes over. */
  failover: { tests: 'failover/failover', options: { times: 30, seed: 1 } },
  /** The same with a cluster of Patroni, of the packages of Debian. */
  patroni: { tests: 'failover/patroni', options: { times: 5, seed: 1 } },
  /** One database restarts, ends connections, is slow, has a full disk. */
  faults: { tests: 'failover/faults', options: { times: 3, seed: 1 } },
  /** Random requests; `--seed 7 --only 4711` sends one exchange again. */
  fuzz: { tests: 'fuzz', options: { requests: 100_000, seed: 1, only: undefined } },
};

requireNode();
process.exit(await (PROOFS[name] ? prove(PROOFS[name]) : TOOLS[name]()));

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

/** `--times 30` of failover is FAILOVER_TIMES=30 for its tests. */
async function prove({ tests, options }) {
  const given = Object.entries(readNumbers(options)).filter(([, value]) => value !== undefined);
  const settings = Object.fromEntries(
    given.map(([option, value]) => [`${name}_${option}`.toUpperCase(), String(value)]),
  );
  console.log(settings);
  const environment = { ...(await built()), ...settings };
  return run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', `test/${tests}`], environment);
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
