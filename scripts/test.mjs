// `npm test` runs each rule once, from a fresh clone: it runs all steps, reports all failures and
// ends with the true totals. docs/testing.md has the options.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, root, run } from './bootstrap.mjs';
import { placesOf } from './groups.mjs';
import { installInterpreters } from './interpreters.mjs';
import { installPrometheus } from './prometheus.mjs';
import { chooseProofs, shortProofs } from './proofList.mjs';
import { readTimes, writeTimes } from './testTimes.mjs';
import { add, failuresOf, ofCheck, ofTests, readTests } from './totals.mjs';

const { all, changed, minutes, results: resultsFile, 'write-times': writesTimes, words } = readOptions();
requireNode();
installInterpreters();
installPrometheus();
const temporary = mkdtempSync(path.join(fastFolder(), 'roundhouse-tests-'));
// PostgreSQL runs as another user when we are root, and this lets it in.
chmodSync(temporary, 0o711);
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const environment = { ...install(), TMPDIR: temporary };
const reports = mkdtempSync(path.join(temporary, 'reports-'));
const times = readTimes();
/** The seconds of this run, by test file. */
const measured = {};
const ranTests = [];
const results = [];

const pnpm = (args, env = environment) => {
  return (options) => run('pnpm', args, env, options);
};
const CHECKS = [
  // `--only` leaves out the build, which would write anew what the others read.
  ['types', ['exec', 'turbo', 'run', 'check:types', '--only', '--output-logs=errors-only', '--log-prefix=none']],
  ...['lint', 'unused', 'directions'].map((name) => [name, ['run', '--silent', `check:${name}`]]),
].map(([name, args]) => ({ name, work: pnpm(args) }));

const BUILD = { name: 'build', work: () => build(environment) };
/**
 * Tests of these projects of Vitest import sources alone: they need no build, and run beside it.
 */
const OF_SOURCES = [
  ...['contract', 'fair', 'fault-injection', 'aggregators', 'wallet-check'],
  ...['player', 'verifier', 'observability'],
];
const FOLDERS = ['packages', 'apps', 'games'].flatMap((place) =>
  readdirSync(path.join(root, place)).map((name) => `${place}/${name}`),
);
const PROJECTS = [...FOLDERS.map((folder) => path.basename(folder)), 'sample-game', 'scripts'];
const OTHERS = PROJECTS.filter((name) => !OF_SOURCES.includes(name));
const inProjects = (names) => names.map((name) => `--project=${name}`);
const SINCE_COMMITS = 20;

if (changed || words.length > 0) {
  const places = words.flatMap((word) => placesOf(word, FOLDERS));
  const needsBuild = changed || !words.every((word) => OF_SOURCES.includes(word));
  if (needsBuild) await runAtOnce([BUILD]);
  await runAtOnce([vitest('unit and integration', [...(changed ? ['--changed'] : []), ...places])]);
} else {
  await runAtOnce([vitest('tests of sources', inProjects(OF_SOURCES)), BUILD]);
  // Browser tests wait for pages most of the time.
  await runAtOnce([
    vitest('unit and integration', inProjects(OTHERS)),
    playwright('in the browser', 'pages'),
    ...CHECKS,
  ]);
  await runProofs(all ? shortProofs(times) : minutes > 0 ? chosenProofs() : []);
  await runAtOnce([{ name: 'requirements', work: checkRequirements }]);
}
if (writesTimes) writeTimes(measured, (name) => name.startsWith('e2e/') || existsSync(path.join(root, name)));
report();

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        changed: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '0' },
        results: { type: 'string' },
        'write-times': { type: 'boolean', default: false },
      },
    });
    if (!/^\d+$/.test(values.minutes)) throw new Error('--minutes is a whole number.');
    return { ...values, minutes: Number(values.minutes), words: positionals };
  } catch (error) {
    return fail(error.message);
  }
}

/**
 * Returns a folder in memory when there is room for it, else the system's. Each test file makes a
 * database, which is 300 files: on a disk to make and to remove these takes a tenth of a run.
 */
function fastFolder() {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return os.tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return Math.min(bavail * bsize, os.freemem()) > 8 * 2 ** 30 ? inMemory : os.tmpdir();
}

/** A step that runs these files, or all that are no proofs. */
function vitest(name, files = []) {
  const report = path.join(reports, `${name}.json`);
  const seconds = path.join(reports, `${name}.times.json`);
  const reporters = ['default', 'json', './scripts/stuckFiles.mjs', './scripts/testTimes.mjs'];
  const isOfProofs = files.some((file) => file.includes('/proofs/'));
  const args = [
    ...['exec', 'vitest', 'run', ...reporters.map((each) => `--reporter=${each}`), `--outputFile.json=${report}`],
    ...(isOfProofs ? [] : ['--exclude=**/proofs/**']),
    ...files,
  ];
  return {
    name,
    work: pnpm(args, { ...environment, ROUNDHOUSE_TIMES: seconds }),
    count(exitCode) {
      if (existsSync(seconds)) Object.assign(measured, JSON.parse(readFileSync(seconds, 'utf8')));
      return countTests(report, exitCode);
    },
  };
}

/** A step that runs the tests of e2e, or of its proofs. */
function playwright(name, project) {
  const report = path.join(reports, `${name}.json`);
  const args = ['--dir', 'e2e', 'exec', 'playwright', 'test', '--reporter=line,json'];
  const isProof = project === 'proofs';
  let startedMs;
  return {
    name,
    work(options) {
      startedMs = Date.now();
      const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(isProof && { PROOF: project }) };
      return run('pnpm', args, env, options);
    },
    count(exitCode) {
      measured[`e2e/${project}`] = Math.round((Date.now() - startedMs) / 1000);
      return countTests(report, exitCode);
    },
  };
}

function countTests(report, exitCode) {
  const tests = readTests(report);
  ranTests.push({ report, tests });
  return ofTests(tests, exitCode);
}

/** Chooses what fits into the minutes on this machine, and says what does not. */
function chosenProofs() {
  const proofs = shortProofs(times);
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = Number(git('rev-list', '--count', 'HEAD'));
  const since = commit > SINCE_COMMITS ? `HEAD~${SINCE_COMMITS}` : git('hash-object', '-t', 'tree', '/dev/null');
  const changedFiles = git('diff', '--name-only', since).split('\n');
  const factor = slowness();
  const chosen = chooseProofs({ proofs, changed: changedFiles, commit, minutes, factor });
  const isChosen = ({ name }) => chosen.some((each) => each.name === name);
  console.log(`\nProofs in ${minutes} minutes: ${chosen.map(({ name }) => name).join(', ')}`);
  const leftOut = proofs.filter((proof) => !isChosen(proof));
  for (const { name, says, seconds } of leftOut)
    console.log(`Not run: ${name} (${Math.ceil(seconds * factor)} s), ${says}`);
  return chosen;
}

/** Says how many times as long as the machine of testTimes.json this one takes. */
function slowness() {
  const files = Object.keys(measured).filter((file) => times[file] > 0);
  const sum = (seconds) => files.reduce((total, file) => total + seconds[file], 0);
  return files.length === 0 ? 1 : sum(measured) / sum(times);
}

async function runProofs(proofs) {
  const files = proofs.flatMap(({ tests = [] }) => tests);
  if (files.length > 0) await runAtOnce([vitest('proofs', files)]);
  if (proofs.some(({ browser }) => browser)) await runAtOnce([playwright('proofs in the browser', 'proofs')]);
}

function checkRequirements(options) {
  const files = ranTests.map(({ report }) => report);
  const check = ['scripts/compliance.mjs', '--check', ...files];
  return run(process.execPath, resultsFile ? [...check, '--results', resultsFile] : check, environment, options);
}

/** The output of the first step is seen at once, that of the others when they have ended. */
async function runAtOnce([first, ...others]) {
  const steps = [runStep(first), ...others.map((step) => runStep(step, { isBeside: true }))];
  results.push(...(await Promise.all(steps)));
}

async function runStep({ name, work, count = ofCheck }, { isBeside = false } = {}) {
  const outputFile = path.join(reports, `${name}.txt`);
  const output = isBeside ? openSync(outputFile, 'w') : undefined;
  if (!isBeside) console.log(`\n── ${name}`);
  const startedMs = Date.now();
  const totals = count(await work(isBeside ? { stdio: ['ignore', output, output] } : {}));
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  if (isBeside) {
    closeSync(output);
    console.log(`\n── ${name}\n${readFileSync(outputFile, 'utf8').trim()}`);
  }
  console.log(`── ${name}: ${totals.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return { name, seconds, totals };
}

function report() {
  console.log('');
  for (const { name, seconds, totals } of results) {
    const outcome = totals.failed === 0 ? 'passed' : 'FAILED';
    const counts = `${totals.passed} passed, ${totals.failed} failed`;
    console.log(`${outcome}  ${name.padEnd(22)}${seconds.padStart(7)} s  ${counts}`);
  }
  // The failures are printed again, because people keep the end of a long log.
  for (const line of ranTests.flatMap(({ tests }) => failuresOf(tests))) console.log(`failed: ${line}`);
  const sum = results.reduce((totals, result) => add(totals, result.totals), { passed: 0, failed: 0 });
  console.log(`\ntests: ${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed === 0 ? 0 : 1;
}
