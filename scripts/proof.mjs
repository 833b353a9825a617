// `npm run proof -- <name>` and `npm run bench` build, then run what PROOFS names with the
// arguments that follow the name. Short forms of chaos, failover, fair, race, fuzz, alerts, soak
// and the cells run in `npm test`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, run } from './bootstrap.mjs';
import { installPrometheus } from './prometheus.mjs';

const MOST = 2 ** 31 - 1;
// Only the results go to our standard output, so that a program can read the JSON.
const toStandardError = { stdio: ['inherit', 2, 2] };

/**
 * `tests` are tests of the server that do more than in `npm test` when these options are set. An
 * option is a whole number unless it is one of `texts`. With --dialect <name> they are `dialects`,
 * against the simulator of that aggregator. With `json` there is the option --json.
 * `bench` is a program of apps/server/bench. `browser` is a configuration of Playwright in e2e. So
 * is `inBrowser`: it checks in a browser what the tests have written to the folder <NAME>_FOLDER.
 */
const PROOFS = {
  chaos: {
    says: 'every fault at once and killed processes',
    tests: 'chaos/chaos',
    options: { rounds: 50_000, seed: 1 },
    dialects: 'chaos/dialects',
  },
  failover: { says: 'a standby takes over', tests: 'failover/failover', options: { times: 30, seed: 1 } },
  faults: { says: 'one database fails in four ways', tests: 'failover/faults', options: { times: 3, seed: 1 } },
  patroni: { says: 'a cluster of Patroni fails over', tests: 'failover/patroni', options: { times: 5, seed: 1 } },
  fair: {
    says: 'fair draws on several nodes: each round is verified, each change of an export is found',
    tests: 'fair/fair',
    options: { rounds: 100_000, nodes: 2, seed: 1 },
    inBrowser: 'fair',
  },
  race: { says: '20 sessions race for the last free round on two nodes', tests: 'race', options: { times: 1000 } },
  fuzz: { says: 'random requests', tests: 'fuzz', options: { requests: 100_000, seed: 1, only: undefined } },
  alerts: {
    says: 'the right alerts fire in a real Prometheus',
    tests: 'alerts/alerts',
    options: { minutes: 10, speed: 10, load: 75, seed: 1, only: undefined },
    texts: ['only'],
    json: true,
    prepare: installPrometheus,
  },
  cells: {
    says: 'one operator in two cells: routers, nodes and databases are killed',
    tests: 'cells/cellsChaos',
    options: { rounds: 20_000, seed: 1 },
  },
  'cells-away': {
    says: 'the database of one cell hangs, then fails over: no request of the other cell fails',
    tests: 'cells/cellsAway',
    options: { seconds: 30, seed: 1 },
  },
  'cells-launches': {
    says: 'players launched over two routers are always in one cell, also when a cell is added',
    tests: 'cells/cellsLaunches',
    options: { players: 10_000 },
  },
  'cells-move': {
    says: 'players move to another cell beside load, and the command is killed',
    tests: 'cells/cellsMove',
    options: { players: 1000, kills: 20, seed: 1 },
  },
  'cells-bench': { says: 'one cell on one core, two on two: plays per second, processor time', bench: 'cells' },
  soak: { says: 'two nodes under load for a long time: --minutes 60', bench: 'soak' },
  'rng-battery': { says: 'dieharder and tests of the draw: --draws 1000000 --tests 0,1', bench: 'rngBattery' },
  newgame: { says: 'from npm create to a spin in a browser, with the packed packages', browser: 'newGame' },
  measure: { says: 'sizes of the SDK and the demo slot, time to the first spin', browser: 'measure' },
  bench: { says: 'plays per second, latency and processor time; also npm run bench', bench: 'main' },
};

const [name, ...args] = process.argv.slice(2);
const proof = Object.hasOwn(PROOFS, name) ? PROOFS[name] : fail(listOfProofs());
requireNode();
process.exit(await (proof.tests ? runTests(proof) : proof.bench ? runBench(proof) : runBrowser(proof)));

function listOfProofs() {
  const lines = Object.entries(PROOFS).map(([each, { says, options = {}, dialects, json }]) => {
    const defaults = Object.entries(options).map(([option, value = '…']) => ` --${option} ${value}`);
    const dialect = dialects ? ' (--dialect hub88)' : '';
    const format = json ? ' (--json)' : '';
    return `  ${each.padEnd(14)} ${says}${defaults.length > 0 ? `:${defaults.join('')}` : ''}${dialect}${format}`;
  });
  return `npm run proof -- <name> [options], where the name is one of\n${lines.join('\n')}`;
}

/** `--times 30` of failover is FAILOVER_TIMES=30 for its tests. */
async function runTests({
  tests,
  options,
  dialects,
  texts = [],
  json: hasJson = false,
  prepare = () => {},
  inBrowser,
}) {
  const { json, ...all } = readOptions(options, { hasDialects: dialects !== undefined, texts, hasJson });
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const settings = Object.fromEntries(given.map(([option, value]) => [variableOf(option), String(value)]));
  (json ? console.error : console.log)(settings);
  const output = json ? toStandardError : {};
  prepare();
  const environment = { ...(await built(output)), ...settings };
  const folder = json || inBrowser ? mkdtempSync(path.join(os.tmpdir(), 'roundhouse-proof-')) : undefined;
  if (json) environment[variableOf('json')] = path.join(folder, 'json');
  if (inBrowser) environment[variableOf('folder')] = folder;
  const file = `test/${all.dialect === undefined ? tests : dialects}`;
  let status = await run('pnpm', ['exec', 'vitest', 'run', '--project', 'server', file], environment, output);
  // Without a file the tests have failed before their end, and have said why.
  if (json && existsSync(path.join(folder, 'json'))) process.stdout.write(readFileSync(path.join(folder, 'json')));
  if (inBrowser && status === 0) status = await runPlaywright(inBrowser, [], environment);
  if (folder) rmSync(folder, { recursive: true });
  return status;
}

/** `--times` of failover is FAILOVER_TIMES. */
function variableOf(option) {
  return `${name}_${option}`.toUpperCase().replaceAll('-', '_');
}

async function runBench({ bench }) {
  const environment = await built(toStandardError);
  const compiled = await run('tsc', ['-p', 'apps/server/tsconfig.bench.json'], environment, toStandardError);
  if (compiled !== 0) fail('The bench does not compile: see above');
  return run(process.execPath, [`apps/server/dist-bench/${bench}.js`, ...args], environment);
}

async function runBrowser({ browser }) {
  const environment = await built(toStandardError);
  if (browser === 'measure') {
    const sizes = await run(process.execPath, ['packages/sdk/scripts/measureSize.mjs'], environment);
    if (sizes !== 0) return sizes;
  }
  return runPlaywright(browser, args, environment);
}

function runPlaywright(config, options, environment) {
  const playwright = ['exec', 'playwright', 'test', `--config=${config}.config.ts`, '--reporter=line', ...options];
  return run('pnpm', ['--dir', 'e2e', ...playwright], environment);
}

async function built(options) {
  const environment = install();
  if ((await build(environment, options)) !== 0) fail('The build failed: see above');
  return environment;
}

/** Reads whole numbers and texts from the command line, by name, the name of a dialect, and --json. */
function readOptions(defaults, { hasDialects, texts, hasJson }) {
  try {
    const names = [...Object.keys(defaults), ...(hasDialects ? ['dialect'] : [])];
    const { values } = parseArgs({
      args,
      options: {
        ...Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
        ...(hasJson && { json: { type: 'boolean' } }),
      },
    });
    const { dialect, json, ...others } = values;
    const given = Object.entries(others).map(([option, text]) => [
      option,
      texts.includes(option) ? text : wholeNumber(option, text),
    ]);
    return { ...defaults, ...Object.fromEntries(given), dialect, json };
  } catch (error) {
    return fail(error.message);
  }
}

function wholeNumber(option, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST) return number;
  throw new Error(`--${option} is a whole number from 1 to ${MOST}.`);
}
