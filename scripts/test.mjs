// `npm test` tests everything, from a fresh clone. It runs all steps, reports all failures and ends
// with the true totals. `npm test -- --results <file>` also writes what became of the tests that
// the tables of requirements name, for `roundhouse evidence`.
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, requireNode, root, run } from './bootstrap.mjs';
import { installInterpreters } from './interpreters.mjs';
import { installPrometheus } from './prometheus.mjs';
import { add, failuresOf, ofCheck, ofTests, testsOfPlaywright, testsOfVitest } from './totals.mjs';

requireNode();
installInterpreters();
installPrometheus();
const { values: given } = parseArgs({ options: { results: { type: 'string' } } });
const environment = install();
const reports = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const unitReport = path.join(reports, 'vitest.json');
const browserReport = path.join(reports, 'playwright.json');

const REPORTERS = ['default', 'json', './scripts/stuckFiles.mjs'].map((name) => `--reporter=${name}`);
const browserEnvironment = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport };
const pnpm = (args, env = environment) => {
  return (options) => run('pnpm', args, env, options);
};
const check = (name) => pnpm(['run', '--silent', `check:${name}`]);

/**
 * Groups run one after the other. The steps of a group run at the same time: a check uses one core
 * most of the time.
 */
const groups = [
  [{ name: 'build', work: (options) => build(environment, options) }],
  [
    {
      name: 'types',
      // `--only` leaves out the build, which would write anew what the others read.
      work: pnpm(['exec', 'turbo', 'run', 'check:types', '--only', '--output-logs=errors-only', '--log-prefix=none']),
    },
    { name: 'lint', work: check('lint') },
    { name: 'unused', work: check('unused') },
    { name: 'directions', work: check('directions') },
    { name: 'packages', work: check('packages') },
  ],
  [
    {
      name: 'unit and integration',
      work: pnpm(['exec', 'vitest', 'run', ...REPORTERS, `--outputFile.json=${unitReport}`]),
      count: (exitCode) => ofTests(testsOfVitest(unitReport), exitCode),
    },
  ],
];
if (hasBrowserTests()) {
  groups.push([
    {
      name: 'in the browser',
      work: pnpm(['--dir', 'e2e', 'exec', 'playwright', 'test', '--reporter=line,json'], browserEnvironment),
      count: (exitCode) => ofTests(testsOfPlaywright(browserReport), exitCode),
    },
  ]);
}
groups.push([
  {
    name: 'requirements',
    work: (options) => {
      const check = ['scripts/compliance.mjs', '--check', unitReport, browserReport];
      return run(
        process.execPath,
        given.results ? [...check, '--results', given.results] : check,
        environment,
        options,
      );
    },
  },
]);

const results = [];
for (const group of groups) {
  const isAlone = group.length === 1;
  results.push(...(await Promise.all(group.map((step) => runStep(step, isAlone)))));
}

console.log('');
for (const { name, seconds, totals } of results) {
  const outcome = totals.failed === 0 ? 'passed' : 'FAILED';
  console.log(
    `${outcome}  ${name.padEnd(22)}${seconds.padStart(7)} s  ${totals.passed} passed, ${totals.failed} failed`,
  );
}
// The failures are printed again, because people keep the end of a long log.
for (const line of [...failuresOf(testsOfVitest(unitReport)), ...failuresOf(testsOfPlaywright(browserReport))])
  console.log(`failed: ${line}`);
const sum = results.reduce((totals, result) => add(totals, result.totals), { passed: 0, failed: 0 });
console.log(`\ntests: ${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;

/** A step beside others is printed when it has ended. */
async function runStep({ name, work, count = ofCheck }, isAlone) {
  const outputFile = path.join(reports, `${name}.txt`);
  const output = isAlone ? undefined : openSync(outputFile, 'w');
  if (isAlone) console.log(`\n── ${name}`);
  const startedMs = Date.now();
  const totals = count(await work(isAlone ? {} : { stdio: ['ignore', output, output] }));
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  if (!isAlone) {
    closeSync(output);
    console.log(`\n── ${name}\n${readFileSync(outputFile, 'utf8').trim()}`);
  }
  console.log(`── ${name}: ${totals.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return { name, seconds, totals };
}

function hasBrowserTests() {
  const folders = ['e2e', 'e2e/tests'].map((folder) => path.join(root, folder));
  const files = folders.flatMap((folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  });
  return files.some((file) => file.endsWith('.spec.ts'));
}
