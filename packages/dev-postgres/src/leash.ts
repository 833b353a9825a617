import { type ChildProcess, spawn } from 'node:child_process';

// Waits for the end of our process, which closes its standard input, then shuts the database down as we would have done.
const SCRIPT = `
read -r _
kill -INT "$1"
[ -n "$3" ] || exit 0
i=0
while [ -e "$2/postmaster.pid" ] && [ "$i" -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
rm -rf -- "$3"
`;

/**
 * Keeps a database from outliving a process that is killed with SIGKILL, which nothing inside that process can do.
 * Returns what lets go of it. Without a shell (Windows) the next start finds the orphan instead.
 */
export function leash(options: {
  child: ChildProcess;
  clusterFolder: string;
  temporaryFolder: string | undefined;
}): () => void {
  if (process.platform === 'win32') return () => {};
  const args = [String(options.child.pid), options.clusterFolder, options.temporaryFolder ?? ''];
  const holder = spawn('/bin/sh', ['-c', SCRIPT, 'roundhouse-leash', ...args], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  holder.on('error', () => {});
  holder.unref();
  // An idle pipe would otherwise keep our process alive.
  (holder.stdin as unknown as { unref(): void } | null)?.unref();
  return () => holder.kill('SIGKILL');
}
