// `npm run proof -- <name>` and `npm run bench` build, then run what PROOFS names with the
// arguments that follow the name.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, fail, install, requireNode, run } from './bootstrap.mjs';
import { PROOFS } from './proofList.mjs';

const MOST = 2 ** 31 - 1;
// Only the results go to our standard output, so that a program can read the JSON.
const toStandardError = { stdio: ['inherit', 2, 2] };

const [name, ...args] = process.argv.slice(2);
const proof = Object.hasOwn(PROOFS, name) ? PROOFS[name] : fail(listOfProofs());
requireNode();
process.exit(await (proof.bench ? runBench(proof) : proof.tests ? runTests(proof) : runBrowser(proof)));

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
  tests: [longForm],
  options = {},
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
  const environment = { ...(await built()), ...settings };
  const folder = json || inBrowser ? mkdtempSync(path.join(os.tmpdir(), 'roundhouse-proof-')) : undefined;
  if (json) environment[variableOf('json')] = path.join(folder, 'json');
  if (inBrowser) environment[variableOf('folder')] = folder;
  const file = all.dialect === undefined ? longForm : dialects;
  let status = await run('pnpm', ['exec', 'vitest', 'run', file], environment, output);
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
  const environment = await built();
  return run(process.execPath, [`apps/bench/dist/${bench}.js`, ...args], environment);
}

async function runBrowser({ browser }) {
  const environment = await built();
  if (browser === 'measure') {
    const sizes = await run(process.execPath, ['packages/sdk/scripts/measureSize.mjs'], environment);
    if (sizes !== 0) return sizes;
  }
  return runPlaywright(browser, args, environment);
}

function runPlaywright(project, options, environment) {
  const playwright = ['exec', 'playwright', 'test', '--reporter=line', ...options];
  return run('pnpm', ['--dir', 'e2e', ...playwright], { ...environment, PROOF: project });
}

async function built() {
  const environment = install();
  if ((await build(environment)) !== 0) fail('The build failed: see above');
  return environment;
}

/**
 * Reads whole numbers and texts from the command line, by name, the name of a dialect, and --json.
 */
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
