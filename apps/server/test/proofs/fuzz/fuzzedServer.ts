import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { COMMAND, environment } from '../../support/roundhouse.ts';

/** SIGUSR2 collects all garbage, so that memory can be compared. */
const COLLECT_GARBAGE = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",()=>gc())'];
/** Within this time a signal arrives, and garbage is collected. */
const COLLECTING_MS = 500;
const SERVE = ['serve', '--workers', '1', '--port', '0', '--log-level', 'info'];
const SETTINGS = {
  // All requests come from one address here.
  ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND: '0',
  // On a busy machine a statement may take long.
  ROUNDHOUSE_DATABASE_SECONDS: '60',
  // A larger young generation takes its memory late, which would look like a leak.
  NODE_OPTIONS: '--max-semi-space-size=16',
};

/** A leak makes these larger. */
export type Usage = { descriptors: number; heapMB: number; residentMB: number };

/** Starts `roundhouse serve` with one worker. No line of its log may hold `secret`. */
export async function startFuzzedServer(env: NodeJS.ProcessEnv, secret: string) {
  const child = spawn(process.execPath, [...COLLECT_GARBAGE, COMMAND, ...SERVE], {
    env: environment({ ...SETTINGS, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const badLines: string[] = [];
  let url: string | undefined;
  let worker = 0;
  child.stderr.on('data', (text) => badLines.push(String(text)));
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    url ??= /"url":"([^"]+)".*"msg":"serving"/.exec(line)?.[1];
    worker ||= Number(/"pid":(\d+).*"msg":"request"/.exec(line)?.[1] ?? 0);
    if (/"level":[56]0/.test(line) || line.includes(secret)) badLines.push(line);
  });
  while (url === undefined && child.exitCode === null) await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (url === undefined) throw new Error(`roundhouse serve ended: ${badLines.join('\n')}`);

  return {
    url,
    port: Number(new URL(url).port),
    /** These are log lines that name an error or a session, and all of the standard error. */
    badLines,
    /** Measures the worker after a full garbage collection. Zero on systems without /proc. */
    async usage(): Promise<Usage> {
      if (worker === 0) throw new Error('the worker has logged no request');
      process.kill(worker, 'SIGUSR2');
      await pause(COLLECTING_MS);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const status = await readFile(`/proc/${worker}/status`, 'utf8').catch(() => '');
      return {
        descriptors: (await readdir(`/proc/${worker}/fd`).catch(() => [])).length,
        heapMB: Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6,
        residentMB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1e3,
      };
    },
    /** Sends SIGTERM, for which it must still run; returns the exit code. */
    async stop(): Promise<number | null> {
      const exited = once(child, 'exit');
      if (!child.kill('SIGTERM')) throw new Error('roundhouse serve has ended by itself');
      return (await exited)[0];
    },
    kill: () => child.kill('SIGKILL'),
  };
}
