// Runs what an image would run: its command, as its user, with its environment.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { canEnter, databaseUser } from '../../packages/dev-postgres/dist/systemUser.js';
import { environmentOf, onHost, run } from './performStages.mjs';

/** The first start indexes the demo slot, a matter of seconds on a machine that has nothing else to do. */
const WAIT_MS = 240_000;

/** Whom processes run as: root lends them an unprivileged user, everybody else runs them as themselves. */
export const unprivilegedUser = databaseUser;

/** A folder with a `node` that the user can run: our own may lie below a private home folder. */
export async function nodeFolderFor(user, workFolder) {
  const own = path.dirname(process.execPath);
  if (user === undefined || (await canEnter(own, user))) return own;
  const folder = path.join(workFolder, 'node-bin');
  mkdirSync(folder);
  copyFileSync(process.execPath, path.join(folder, 'node'));
  return folder;
}

/** Runs the command to its end: `{code, output}`. */
export function runIn(image, command, options) {
  const [program, ...args] = command;
  return run(program, args, spawnOptions(image, options));
}

/** Starts the command, and answers once it has printed what the pattern says. */
export async function startIn(image, command, { until, ...options }) {
  const [program, ...args] = command;
  const child = spawn(program, args, { ...spawnOptions(image, options), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
  const match = await new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`${command.join(' ')} did not print ${until}:\n${output}`));
    const deadline = setTimeout(giveUp, WAIT_MS);
    child.once('error', reject);
    child.once('close', giveUp);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        const found = until.exec(output);
        if (found === null) return;
        clearTimeout(deadline);
        resolve(found);
      });
    }
  });
  return { pid: child.pid, match, exited, kill: (signal) => child.kill(signal) };
}

function spawnOptions(image, { user, nodeFolder, env }) {
  return {
    ...user,
    cwd: onHost(image, '.'),
    env: { PATH: `${nodeFolder}:/usr/bin:/bin`, ...environmentOf(image), ...env },
  };
}
