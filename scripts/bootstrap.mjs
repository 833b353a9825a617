// Every script at the root does this first, with Node and npm alone: it checks Node, gets pnpm,
// installs and builds.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const isWindows = process.platform === 'win32';
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
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
  const options = ['--frozen-lockfile', '--config.confirmModulesPurge=false', '--reporter=append-only'];
  const result = spawnSync('pnpm', ['install', ...options], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    shell: isWindows,
  });
  if (result.status !== 0) {
    console.error(`${result.stdout || ''}${result.stderr || ''}`.trim() || String(result.error));
    fail('The dependencies could not be installed: see above');
  }
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ state, pnpmFolder }));
  return environment;
}

/**
 * Runs a program to its end, with its output where ours goes; resolves to its exit code. A signal
 * ends the program first, and then us.
 */
export function run(command, args, environment, { stdio = 'inherit' } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio, shell: isWindows });
    let received;
    const handOn = (signal) => {
      received = signal;
      child.kill(signal);
    };
    process.on('SIGINT', handOn).on('SIGTERM', handOn);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code, signal) => {
      process.off('SIGINT', handOn).off('SIGTERM', handOn);
      if (received) process.exit(exitCodeOf(null, received));
      resolve(exitCodeOf(code, signal));
    });
  });
}

/** Returns what a shell reports for a program that ended this way. */
export function exitCodeOf(code, signal) {
  return signal ? 128 + os.constants.signals[signal] : code;
}

/** Builds what has changed; turbo finds it. */
export function build(environment, options) {
  const quietly = ['--output-logs=errors-only', '--log-prefix=none'];
  return run('pnpm', ['exec', 'turbo', 'run', 'build', 'build:pages', ...quietly], environment, options);
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

/** Returns a digest of everything that decides what is installed. */
function stateOfManifests() {
  const folders = ['packages', 'apps', 'games'].filter((folder) => existsSync(path.join(root, folder)));
  const nested = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name, 'package.json')),
  );
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', path.join('e2e', 'package.json'), ...nested];
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
