import { type ChildProcess, spawn } from 'node:child_process';

// When our process ends, the script's standard input closes. The script then shuts the database
// down.
const SCRIPT = `
read -r _
kill -INT "$1"
[ -n "$3" ] || exit 0
i=0
while [ -e "$2/postmaster.pid" ] && [ "$i" -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
rm -rf -- "$3"
`;

/**
 * Stops the database when our process is killed with SIGKILL, which that process cannot do itself.
 * Returns a function that ends the guard. Without a shell (Windows) the next start stops the
 * orphaned database.
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
