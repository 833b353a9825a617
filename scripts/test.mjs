// `npm test`: everything, from a fresh clone. Runs all steps, reports all failures, ends with the true totals.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, install, requireNode, root, run } from './bootstrap.mjs';
import { add, failuresOfPlaywright, failuresOfVitest, ofCheck, ofPlaywright, ofVitest } from './totals.mjs';

requireNode();
const environment = install();
const reports = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const unitReport = path.join(reports, 'vitest.json');
const browserReport = path.join(reports, 'playwright.json');

const pnpm = (...args) => run('pnpm', args, environment);
const browserEnvironment = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport };

const steps = [
  ['build', () => build(environment)],
  ['types', () => pnpm('exec', 'turbo', 'run', 'check:types', '--output-logs=errors-only', '--log-prefix=none')],
  ['lint', () => pnpm('run', '--silent', 'check:lint')],
  ['unused', () => pnpm('run', '--silent', 'check:unused')],
  ['directions', () => pnpm('run', '--silent', 'check:directions')],
  [
    'unit and integration',
    () => pnpm('exec', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`),
    (exitCode) => ofVitest(unitReport, exitCode),
  ],
];
if (hasBrowserTests()) {
  steps.push([
    'in the browser',
    () => run('pnpm', ['--dir', 'e2e', 'exec', 'playwright', 'test', '--reporter=line,json'], browserEnvironment),
    (exitCode) => ofPlaywright(browserReport, exitCode),
  ]);
}

const results = [];
for (const [name, work, count = ofCheck] of steps) {
  console.log(`\n── ${name}`);
  const startedMs = Date.now();
  const totals = count(await work());
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  results.push({ name, seconds, totals });
  console.log(`── ${name}: ${totals.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
}

console.log('');
for (const { name, seconds, totals } of results) {
  const outcome = totals.failed === 0 ? 'passed' : 'FAILED';
  console.log(
    `${outcome}  ${name.padEnd(22)}${seconds.padStart(7)} s  ${totals.passed} passed, ${totals.failed} failed`,
  );
}
// Once more at the end, because the end is what is kept of a long log.
for (const line of [...failuresOfVitest(unitReport), ...failuresOfPlaywright(browserReport)])
  console.log(`failed: ${line}`);
const sum = results.reduce((totals, result) => add(totals, result.totals), { passed: 0, failed: 0 });
console.log(`\ntests: ${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 ? 0 : 1;

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
