import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { CleanUp } from '../../dist/cli/cleanUp.js';

function isInstalled(): boolean {
  return [
    ['zstdcat', '--version'],
    ['wc', '--version'],
  ].every(([command, ...args]) => spawnSync(command as string, args, { stdio: 'ignore' }).status === 0);
}

/** Seconds that `zstdcat file | wc -l` takes; undefined where it is not installed. Throws when it does not count `lines`. */
export async function zstdcatSeconds(
  cleanUp: CleanUp,
  { file, lines }: { file: string; lines: number },
): Promise<number | undefined> {
  if (!isInstalled()) return undefined;
  const startedMs = performance.now();
  // A process group, so that all of the pipe can be ended.
  const shell = spawn('sh', ['-c', 'zstdcat "$1" | wc -l', 'sh', file], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid } = shell;
  cleanUp.add(async () => {
    if (pid !== undefined && shell.exitCode === null && shell.signalCode === null) process.kill(-pid);
  });
  const [counted] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  if (Number(counted) !== lines) throw new Error(`zstdcat | wc -l counted ${counted.trim()} lines, not ${lines}`);
  return (performance.now() - startedMs) / 1000;
}
