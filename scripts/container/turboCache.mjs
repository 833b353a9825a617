import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * A build cache that holds, of everything that is built, one task's result at most: that of the checkout's own cache, when it has it for the
 * very same inputs.
 */
export function cacheOfOneTask({ root, folder, task, workspace }) {
  mkdirSync(folder);
  const turbo = path.join(root, 'node_modules', '.bin', 'turbo');
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const plan = execFileSync(turbo, ['run', task, `--filter=${workspace}`, '--dry=json'], options);
  const { hash } = JSON.parse(plan).tasks.find(({ taskId }) => taskId === `${workspace}#${task}`);
  const checkoutCache = path.join(root, '.turbo', 'cache');
  for (const file of filesIn(checkoutCache).filter((name) => name.startsWith(hash))) {
    copyFileSync(path.join(checkoutCache, file), path.join(folder, file));
  }
}

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
