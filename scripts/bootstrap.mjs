// Every script at the root does this first, with Node and npm alone: it checks Node, gets pnpm,
// installs and builds.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createBuildCount, showProgress } from './progress.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const isWindows = process.platform === 'win32';
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
/** The number of tasks that Turbo runs at the same time, on a machine with as many cores. */
const TASKS_AT_ONCE = 10;
const stampFile = path.join(root, 'node_modules', '.roundhouse-install.json');

// No part of an install or a build sends telemetry, asks anything, or keeps a process running.
const QUIET = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  npm_config_update_notifier: 'false',
};

export function requireNode() {
  const wanted = manifest.engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`Roundhouse needs Node ${wanted} or newer; this is ${process.versions.node}. Get one at https://nodejs.org`);
}

/**
 * Installs when something has changed since the last time. Returns the environment in which `pnpm`
 * is found.
 */
export function install() {
  const state = stateOfManifests();
  const stamp = readStamp();
  if (stamp && stamp.state === state && existsSync(stamp.pnpmFolder)) return environmentWith(stamp.pnpmFolder);
  const pnpmFolder = findPnpm();
  const environment = environmentWith(pnpmFolder);
  // Standard output may be a program's: `npm run proof -- alerts --json`.
  console.error('Installing dependencies …');
  rmSync(stampFile, { force: true });
  const options = ['--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const result = spawnSync(process.execPath, [path.join(root, 'scripts/installPackages.mjs'), ...options], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) fail('The dependencies could not be installed: see above');
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ state, pnpmFolder }));
  return environment;
}

/**
 * Runs a program to its end, with its output where ours goes or a line at a time to `onLine`;
 * resolves to its exit code. A signal ends the program first, and then us. With `abort` only that
 * ends it.
 */
export function run(command, args, environment, { stdio = 'inherit', onLine, abort } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: environment,
      stdio: onLine ? ['ignore', 'pipe', 'pipe'] : stdio,
      shell: isWindows,
    });
    if (onLine) for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
    let received;
    const handOn = (signal) => {
      received = signal;
      child.kill(signal);
    };
    if (abort) abort.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    else process.on('SIGINT', handOn).on('SIGTERM', handOn);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      process.off('SIGINT', handOn).off('SIGTERM', handOn);
      if (received) process.exit(exitCodeOf(null, received));
      resolve(abort?.aborted ? 1 : exitCodeOf(code, signal));
    });
  });
}

/** Returns what a shell reports for a program that ended this way. */
export function exitCodeOf(code, signal) {
  return signal ? 128 + os.constants.signals[signal] : code;
}

/** All that there is to build: programs and pages, the types of packages, and all books. */
const EVERYTHING = ['build', 'build:types', 'build:small', 'build:math', 'build:pages'];

/**
 * Builds what has changed, which turbo finds, and says how far it is: these tasks of these packages
 * and of those that they need, or of all. `line` says it in place of ours.
 */
export async function build(environment, { tasks = EVERYTHING, packages, abort, line } = {}) {
  const filters = packages?.map((name) => `--filter=${name}`) ?? [];
  const count = createBuildCount({
    tasks: tasksOf(tasks, packages),
    usual: JSON.parse(readFileSync(path.join(root, 'scripts/buildTimes.json'), 'utf8')),
    atOnce: Math.min(os.availableParallelism(), TASKS_AT_ONCE),
  });
  const stop = showProgress(line ?? count.line);
  const quietly = ['--output-logs=new-only', '--log-order=stream', '--log-prefix=task', '--no-color'];
  const code = await run('turbo', ['run', ...tasks, ...filters, ...quietly], environment, { onLine: count.add, abort });
  stop();
  if (code !== 0 && !abort?.aborted) console.error(count.failures());
  return code;
}

/** Returns the names that turbo gives to those of the tasks that packages have. */
export function tasksOf(tasks = EVERYTHING, packages) {
  return packageFolders().flatMap((folder) => {
    const { name, scripts = {} } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    if (packages !== undefined && !packages.includes(name)) return [];
    return tasks.filter((task) => task in scripts).map((task) => `${name}:${task}`);
  });
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the folders of the workspace that have a package. */
function packageFolders() {
  const nested = ['packages', 'apps', 'games'].filter((folder) => existsSync(path.join(root, folder)));
  const folders = nested.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
  );
  return [...folders, 'docs', 'e2e', 'deploy/observability'].filter((folder) =>
    existsSync(path.join(root, folder, 'package.json')),
  );
}

/** Returns a digest of everything that decides what is installed. */
function stateOfManifests() {
  const nested = packageFolders().map((folder) => path.join(folder, 'package.json'));
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...nested];
  const digest = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files.sort()) {
    if (existsSync(path.join(root, file))) digest.update(file).update(readFileSync(path.join(root, file)));
  }
  return digest.digest('hex');
}

// Finds the folder of a pnpm of exactly the version in package.json: any other would first replace
// itself, or read the lockfile differently.
function findPnpm() {
  const version = manifest.packageManager.replace('pnpm@', '');
  // The call runs outside the project, where no pnpm tries to become another version of itself.
  const options = { cwd: os.tmpdir(), env: { ...process.env, ...QUIET }, encoding: 'utf8', shell: isWindows };
  const found = spawnSync('pnpm', ['--version'], { ...options, timeout: 20000 });
  if (found.status === 0 && found.stdout.trim() === version) return folderOnPath('pnpm');
  console.log(`Getting pnpm ${version} …`);
  const print = 'console.log(process.env.PATH)';
  const fetched = spawnSync(
    'npx',
    ['-y', '-p', `pnpm@${version}`, 'node', '-e', isWindows ? `"${print}"` : print],
    options,
  );
  const folder = fetched.status === 0 && folderOnPath('pnpm', fetched.stdout.trim().split('\n').pop());
  if (folder) return folder;
  return fail(`pnpm ${version} could not be fetched with npx:\n${fetched.stderr || fetched.error}`);
}

function folderOnPath(program, searchPath = process.env.PATH) {
  const names = isWindows ? [`${program}.cmd`, `${program}.exe`] : [program];
  return searchPath.split(path.delimiter).find((folder) => names.some((name) => existsSync(path.join(folder, name))));
}

function environmentWith(pnpmFolder) {
  const searchPath = [pnpmFolder, path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter);
  return { ...process.env, ...QUIET, PATH: searchPath };
}
