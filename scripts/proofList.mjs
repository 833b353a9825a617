// The proofs: tests that take too long for `npm test`. `npm run test:all` runs the short form of
// each, `.ci/run` those that fit into its minutes, and `npm run proof -- <name>` a long form of
// one.
import { installPrometheus } from './prometheus.mjs';

const SERVER = 'apps/server/src/';
const SQL = 'apps/server/prisma/';
/** What a play, its wallet and its recovery consist of. */
const MONEY = [SQL, ...['ledger', 'store', 'rounds'].map((wing) => `${SERVER}${wing}/`)];
const FLEET = [SQL, 'packages/fleet/', ...['cells', 'router', 'store', 'operators'].map((wing) => `${SERVER}${wing}/`)];
const test = (name) => `apps/server/test/proofs/${name}.test.ts`;

/**
 * `tests` are files of Vitest; `proves` are the folders that they prove. Without `proves` a proof
 * has no short form. `isOfMoney` marks what runs in every run of .ci/run.
 *
 * The first file does more in `npm run proof` when `options` are set, that of `dialects` with
 * --dialect <name>. An option is a whole number unless it is one of `texts`; with `json` there is
 * the option --json. `bench` is a program of apps/bench. `browser` is a project of
 * Playwright in e2e. `inBrowser` is one that checks what the tests have written to the folder
 * <NAME>_FOLDER.
 */
export const PROOFS = {
  chaos: {
    says: 'every fault at once and killed processes',
    tests: [test('chaos/chaos')],
    proves: [...MONEY, 'apps/operator/'],
    isOfMoney: true,
    options: { rounds: 50_000, seed: 1 },
    dialects: test('chaos/dialects'),
  },
  crash: {
    says: 'a node is killed at each step of a wallet transaction, and in the middle of plays and loading',
    tests: [test('crash/crash'), ...['interruptedLoad', 'killed', 'restored'].map((name) => test(`processes/${name}`))],
    proves: MONEY,
    isOfMoney: true,
  },
  dialects: {
    says: 'chaos behind an aggregator',
    tests: [test('chaos/dialects')],
    proves: [
      `${SERVER}operators/dialectApi/`,
      `${SERVER}rounds/wallets/`,
      'packages/dialects/',
      'packages/aggregators/',
    ],
  },
  failover: {
    says: 'a standby takes over',
    tests: ['failover', 'again', 'pgbouncer', 'status', 'writer'].map((name) => test(`failover/${name}`)),
    proves: [
      `${SERVER}ledger/`,
      `${SERVER}store/`,
      SQL,
      'packages/service/',
      'packages/dev-postgres/',
      'packages/fault-injection/',
    ],
    options: { times: 30, seed: 1 },
  },
  faults: {
    says: 'one database fails in four ways',
    tests: [test('failover/faults')],
    options: { times: 3, seed: 1 },
  },
  patroni: {
    says: 'a cluster of Patroni fails over',
    tests: [test('failover/patroni')],
    options: { times: 5, seed: 1 },
  },
  fair: {
    says: 'fair draws on several nodes: each round is verified, each change of an export is found',
    tests: [
      ...['fair', 'canaries', 'restored'].map((name) => test(`fair/${name}`)),
      ...['large', 'python'].map((name) => `packages/fair/test/proofs/${name}.test.ts`),
    ],
    proves: [`${SERVER}rounds/fair/`, 'packages/fair/', SQL, 'apps/verifier/'],
    options: { rounds: 100_000, nodes: 2, seed: 1 },
    inBrowser: 'fair',
  },
  race: {
    says: '20 sessions race for the last free round on two nodes',
    tests: [test('race/lastFreeRound')],
    proves: [`${SERVER}rounds/freeRounds/`, SQL],
    options: { times: 1000 },
  },
  fuzz: {
    says: 'random requests',
    tests: [test('fuzz/fuzz')],
    proves: [
      ...['base/http', 'rounds/play', 'operators/api', 'local'].map((room) => `${SERVER}${room}/`),
      'packages/contract/',
    ],
    options: { requests: 100_000, seed: 1, only: undefined },
  },
  alerts: {
    says: 'the right alerts fire in a real Prometheus',
    tests: [test('alerts/alerts'), test('alerts/proveFault')],
    proves: ['deploy/observability/', `${SERVER}watch/metrics/`],
    options: { minutes: 10, speed: 10, load: 75, seed: 1, only: undefined },
    texts: ['only'],
    json: true,
    prepare: installPrometheus,
  },
  workers: {
    says: 'the worker processes of one node',
    tests: ['workers', 'workerMetrics', 'randomHealth'].map((name) => test(`workers/${name}`)),
    proves: [`${SERVER}node/workers/`, `${SERVER}watch/metrics/`, `${SERVER}cli/`],
  },
  cells: {
    says: 'one operator in two cells: routers, nodes and databases are killed',
    tests: [test('cells/cellsChaos')],
    proves: FLEET,
    options: { rounds: 20_000, seed: 1 },
  },
  'cells-away': {
    says: 'the database of one cell hangs, then fails over: no request of the other cell fails',
    tests: [test('cells/cellsAway')],
    proves: FLEET,
    options: { seconds: 30, seed: 1 },
  },
  'cells-launches': {
    says: 'players launched over two routers are always in one cell, also when a cell is added',
    tests: [test('cells/cellsLaunches')],
    proves: FLEET,
    options: { players: 10_000 },
  },
  'cells-move': {
    says: 'players move to another cell beside load, and the command is killed',
    tests: [test('cells/cellsMove')],
    proves: FLEET,
    options: { players: 1000, kills: 20, seed: 1 },
  },
  'cells-killed': {
    says: 'a move of a player is killed after each of its steps',
    tests: [test('cells/moveKilled')],
    proves: FLEET,
  },
  install: {
    says: 'a node of several processes compares its files with a manifest',
    tests: [test('processes/verifyInstall')],
    proves: [`${SERVER}lab/install/`, `${SERVER}node/workers/`],
  },
  secrets: {
    says: 'no secret is in logs, tables, responses or files',
    tests: [test('processes/canaries')],
    proves: ['staff', 'cli', 'lab/evidence', 'base/http'].map((room) => `${SERVER}${room}/`),
  },
  vite: {
    says: 'the plugin for Vite beside a real Vite',
    tests: [test('processes/vitePlugin')],
    proves: [`${SERVER}local/`],
  },
  packages: {
    says: 'the packed packages, installed with npm and used as users do',
    tests: ['scripts/proofs/packages.test.mjs', 'packages/sdk/test/proofs/package.test.ts'],
    proves: ['packages/', `${SERVER}cli/`, 'docs/examples/', 'scripts/'],
  },
  templates: {
    says: 'a new game of each template, with its own tests',
    tests: ['templates', 'ports'].map((name) => `packages/create-roundhouse-game/test/proofs/${name}.test.ts`),
    proves: ['packages/create-roundhouse-game/', 'packages/sdk/', 'packages/math/'],
  },
  bench: {
    says: 'plays per second, latency and processor time; also npm run bench',
    tests: ['bench', 'connection', 'drawTests', 'loops', 'measureInTurn'].map(
      (name) => `apps/bench/test/proofs/${name}.test.ts`,
    ),
    proves: ['apps/bench/', `${SERVER}rounds/play/`],
    bench: 'main',
  },
  'cells-bench': { says: 'one cell on one core, two on two: plays per second, processor time', bench: 'cells' },
  soak: { says: 'two nodes under load for a long time: --minutes 60', bench: 'soak' },
  'rng-battery': { says: 'dieharder and tests of the draw: --draws 1000000 --tests 0,1', bench: 'rngBattery' },
  pages: {
    says: 'the pages in many sizes, languages and currencies',
    proves: ['e2e/', 'apps/console/', 'apps/demo-slot/', 'apps/operator/lobby/', 'apps/player/', 'apps/verifier/'],
    browser: 'proofs',
  },
  newgame: { says: 'from npm create to a spin in a browser, with the packed packages', browser: 'newGame' },
  measure: { says: 'sizes of the SDK and the demo slot, time to the first spin', browser: 'measure' },
};

/** Each proof with a short form is due once in this number of commits. */
const TURNS = 5;
/** More files than this of Vitest run at once nowhere. */
const AT_ONCE = 3;

/** Returns the proofs that a run without options has, with the seconds that each takes. */
export function shortProofs(times) {
  return Object.entries(PROOFS)
    .filter(([, { proves }]) => proves)
    .map(([name, proof]) => ({ name, ...proof, seconds: secondsOf(proof, times) }));
}

/**
 * Chooses what fits into the minutes of the machine: all that guards money, what is due at this
 * commit, what proves a changed folder, then what is due next. `factor` is how many times slower
 * the machine is than the one that measured the seconds. Returns the chosen ones, those of changed
 * folders before those that are due only.
 */
export function chooseProofs({ proofs, changed, commit, minutes, factor }) {
  const isChanged = ({ proves }) => changed.some((file) => proves.some((folder) => file.startsWith(folder)));
  const all = proofs.map((proof, place) => {
    const commitsLeft = (TURNS - ((place + commit) % TURNS)) % TURNS;
    const rank = proof.isOfMoney ? 0 : commitsLeft === 0 ? 1 : isChanged(proof) ? 2 : 2 + commitsLeft;
    return { ...proof, rank, order: proof.isOfMoney ? 0 : isChanged(proof) ? 1 : 2 };
  });
  let left = (minutes * 60) / factor;
  const chosen = all
    .toSorted((one, other) => one.rank - other.rank)
    .filter(({ rank, seconds }) => {
      if (rank > 0 && seconds > left) return false;
      left -= seconds;
      return true;
    });
  return chosen.toSorted((one, other) => one.order - other.order);
}

/** Files run beside each other, and a browser alone. */
function secondsOf({ tests = [], browser }, times) {
  if (browser) return times[`e2e/${browser}`] ?? 0;
  return tests.reduce((sum, file) => sum + (times[file] ?? 0), 0) / AT_ONCE;
}
