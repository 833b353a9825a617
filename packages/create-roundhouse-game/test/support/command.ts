import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = path.join(PACKAGE, 'bin', 'create-roundhouse-game.js');
/** It is below the package, so that a game's imports are found in the package's node_modules. */
const SCAFFOLDED = path.join(PACKAGE, '.scaffolded');

export type Result = { code: number | null; stdout: string; stderr: string };

type RunOptions = { cwd: string; env?: NodeJS.ProcessEnv; node?: readonly string[] };

/**
 * Runs the command without a terminal. A question would never be answered: the command would not
 * end.
 */
export function create(args: readonly string[], { cwd, env, node = [] }: RunOptions): Promise<Result> {
  // npm starts it with this variable: these tests may run under another package manager.
  return run(process.execPath, [...node, COMMAND, ...args], {
    cwd,
    env: { npm_config_user_agent: 'npm/10.0.0', ...env },
  });
}

export function run(command: string, args: readonly string[], { cwd, env }: RunOptions): Promise<Result> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    result.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    result.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...result, code }));
  });
}

export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  await mkdir(SCAFFOLDED, { recursive: true });
  const folder = await mkdtemp(path.join(SCAFFOLDED, 'test-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes a folder that is removed when the running test ends. */
export async function temporaryFolder(): Promise<string> {
  const { folder, remove } = await makeFolder();
  onTestFinished(remove);
  return folder;
}
