import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { CleanUp } from '@roundhouse/service';

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
  // In the session of the bench, as the load is: Linux gives each session its share of the processor.
  const shell = spawn('sh', ['-c', 'zstdcat "$1" | wc -l', 'sh', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const counted = text(shell.stdout);
  // The output ends with the last of the pipe, a few seconds later at most: so nothing still reads what is then removed.
  cleanUp.add(async () => {
    shell.kill();
    await counted;
  });
  const count = Number(await counted);
  if (count !== lines) throw new Error(`zstdcat | wc -l counted ${count} lines, not ${lines}`);
  return (performance.now() - startedMs) / 1000;
}
