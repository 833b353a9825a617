// `npm run mutation -- --area contract` changes the sources of one area in one place after the
// other and counts how many of these mutants its tests find. `--sample 10 --seed 1` tries 10 % of
// them, the same ones for the same seed. See docs/testing.md.
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, root } from './bootstrap.mjs';

const under = (folder, globs) => globs.map((glob) => glob.replace(/^(!?)/, `$1${folder}/`));
const area = (folder, mutate, testFiles) => ({
  mutate: under(folder, [...mutate, '!**/*.test.ts']),
  testFiles: under(folder, testFiles),
});

const RULES = '{sessions,idempotencyKey,refusals,requests,gameVersions}';
const AREAS = {
  // plainTypes runs the compiler over the sources, which the mutants change.
  contract: area('packages/contract', ['src/**/*.ts'], ['src/**/!(plainTypes).test.ts']),
  math: area(
    'packages/math',
    ['src/draw/weightedDraw.ts', 'src/statistics/statistics.ts'],
    ['src/{draw/weightedDraw,statistics/statistics,draw/random,read/openMath}.test.ts'],
  ),
  service: area('packages/service', ['src/{batcher,hosts,sqlRetry}.ts'], ['src/{batcher,hosts,sqlRetry}.test.ts']),
  sdk: area('packages/sdk', ['src/**/*.ts'], ['{src,test}/**/!(size|package).test.ts']),
  play: area(
    'apps/server',
    ['src/rounds/play/**/*.ts'],
    [
      'src/rounds/play/*.test.ts',
      'test/rounds/play/{authenticate,balance,play,endRound,event,replay}.test.ts',
      `test/{base/http,rounds/{play,sessions,games}}/${RULES}.test.ts`,
    ],
  ),
  // This leaves out tests of commands, which run the built code without mutants, and sqlWidth,
  // which reads the sources.
  ledger: area(
    'apps/server',
    ['src/{ledger,store}/**/*.ts', '!src/store/generated/**'],
    [
      'src/{ledger,store}/**/*.test.ts',
      'test/{ledger,store,watch/{audit,rtp}}/!(silence|publishGame|sqlWidth).test.ts',
      'test/rounds/{fair/fairSeeds,sessions/{purge,unknownSessions}}.test.ts',
      'test/cli/commands/{parked,walletTransaction*}.test.ts',
      'test/operators/api/!(signature|launch).test.ts',
      'test/rounds/play/{authenticate,play,endRound,event,replay}.test.ts',
      'test/rounds/wallets/{life,uncertain}.test.ts',
    ],
  ),
  dialects: area('packages/dialects', ['src/**/*.ts'], ['src/**/*.test.ts']),
  wallets: area(
    'apps/server',
    ['src/rounds/wallets/**/*.ts'],
    ['src/rounds/wallets/**/*.test.ts', 'test/rounds/wallets/*.test.ts', 'test/rounds/play/{balance,endRound}.test.ts'],
  ),
};

/** Returns a number from 0 to 1 that the seed gives a mutant. */
function lot({ fileName, replacement, mutatorName, location }, seed) {
  const file = path.relative(root, fileName).replace(/^.*sandbox[^/]*\//, '');
  const text = JSON.stringify([seed, file, mutatorName, replacement, location.start.column, location.end.column]);
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** Stryker's process for checks gets the options by the environment. */
const isChosen = (mutant) => 100 * lot(mutant, process.env.MUTATION_SEED) < Number(process.env.MUTATION_SAMPLE);

const sample = {
  init: async () => {},
  group: async (mutants) => mutants.map(({ id }) => [id]),
  check: async (mutants) =>
    Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isChosen(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    ),
};

/** These texts are for people: API document, thrown errors, launch links that cannot be used. */
const TEXTS = ['summary', 'description', 'meaning', 'retryAdvice', 'error'];
const DESCRIBED = ['meta', 'describe', 'nameOf', 'textOf', 'storableTextOf'];
const TABLES = ['MEANINGS', 'LAUNCH_ISSUE_MESSAGES'];

/** Codes and kinds are one word, and tests must find a change of them. */
const isText = ({ type, value }) => type === 'TemplateLiteral' || (type === 'StringLiteral' && value.includes(' '));

function isForPeople(path) {
  const { node, parent, listKey } = path;
  if (node.type === 'ObjectProperty') return TEXTS.includes(node.key.name) && isText(node.value);
  if (isText(node) && TABLES.includes(path.findParent((each) => each.isVariableDeclarator())?.node.id.name))
    return true;
  if (listKey !== 'arguments') return false;
  const callee = parent.callee?.property?.name ?? parent.callee?.name ?? '';
  return (
    callee === 'meta' ||
    (isText(node) && (DESCRIBED.includes(callee) || (parent.type === 'NewExpression' && callee.endsWith('Error'))))
  );
}

const words = { shouldIgnore: (path) => (isForPeople(path) ? 'a text for people' : undefined) };

/** Stryker reads this: it loads this file as a plugin. */
export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', value: sample },
  { kind: 'Ignore', name: 'words', value: words },
];

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        area: { type: 'string' },
        sample: { type: 'string', default: '100' },
        seed: { type: 'string', default: '1' },
      },
    });
    if (!(values.area in AREAS)) throw new Error(`--area is one of ${Object.keys(AREAS).join(', ')}.`);
    if (!(values.sample > 0 && values.sample <= 100)) throw new Error('--sample is a number of percent, up to 100.');
    return values;
  } catch (error) {
    return fail(error.message);
  }
}

async function main() {
  requireNode();
  const options = readOptions();
  const environment = install();
  if ((await build(environment)) !== 0) fail('The build failed: see above');
  Object.assign(process.env, environment, { MUTATION_SAMPLE: options.sample, MUTATION_SEED: options.seed });
  const { Stryker } = await import('@stryker-mutator/core');
  const results = await new Stryker({
    ...AREAS[options.area],
    testRunner: 'failingFirst',
    vitest: { related: false },
    plugins: [
      '@stryker-mutator/vitest-runner',
      path.join(root, 'scripts/mutationRunner.mjs'),
      fileURLToPath(import.meta.url),
    ],
    ...(options.sample !== '100' && { checkers: ['sample'] }),
    ignorers: ['words'],
    concurrency: Math.max(2, Math.floor(os.availableParallelism() / 2)),
    coverageAnalysis: 'perTest',
    ignorePatterns: ['e2e', 'apps/demo-slot', '**/.turbo'],
    tsconfigFile: 'none',
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { reportTests: false, allowColor: false },
    jsonReporter: { fileName: `.stryker-tmp/${options.area}.json` },
    // Vitest ends a test that hangs: this limit is for a mutant that stops even Vitest, also on a
    // busy machine.
    timeoutMS: 900_000,
    dryRunTimeoutMinutes: 30,
  }).runMutationTest();
  const found = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  // The check does not get mutants that no test reaches.
  const missed = results.filter(
    (each) => each.status === 'Survived' || (each.status === 'NoCoverage' && isChosen(each)),
  ).length;
  const score = ((100 * found) / (found + missed)).toFixed(1);
  console.log(`${options.area}: ${score} % of ${found + missed} mutants found, ${missed} missed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void main();
