import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environment } from '../support/roundhouse.ts';

const COMMAND = fileURLToPath(new URL('../../bin/roundhouse.js', import.meta.url));
const COLLECT_GARBAGE = new URL('../support/collectGarbage.mjs', import.meta.url).href;
const AN_ERROR = /"level":[56]0/;
const MOST_BAD_LINES = 20;
const SETTINGS = {
  // Everything comes from one address here.
  ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND: '0',
  // Where others have the cores, a statement may take long.
  ROUNDHOUSE_DATABASE_SECONDS: '60',
};
/** Within it a signal has arrived, and garbage is collected. */
const COLLECTING_MS = 500;

/** What a leak makes larger. */
export type Usage = { descriptors: number; heapMB: number; residentMB: number };

export type FuzzedServer = Awaited<ReturnType<typeof startFuzzedServer>>;

/**
 * `roundhouse serve` in one process, whose log is read and thrown away. `secret`: a text that may
 * stand in no line of it.
 */
export async function startFuzzedServer(env: NodeJS.ProcessEnv, secret: string) {
  const args = ['--import', COLLECT_GARBAGE, COMMAND, 'serve', '--workers', '1', '--port', '0', '--log-level', 'info'];
  const child = spawn(process.execPath, args, {
    env: environment({ ...SETTINGS, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const badLines: string[] = [];
  let url: string | undefined;
  const takeLine = (line: string) => {
    url ??= /"url":"([^"]+)".*"msg":"serving"/.exec(line)?.[1];
    if ((AN_ERROR.test(line) || line.includes(secret)) && badLines.length < MOST_BAD_LINES) badLines.push(line);
  };
  child.stdout.setEncoding('utf8').on('data', linesInto(takeLine));
  child.stderr.setEncoding('utf8').on('data', (text: string) => badLines.push(text));
  const exited = once(child, 'exit');
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error(`roundhouse serve ended: ${badLines.join('\n')}`);
    await pause(20);
  }
  const { pid = 0 } = child;
  const address = url;
  const heapBytes = async () =>
    /^nodejs_heap_size_used_bytes (\S+)/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1];

  return {
    port: Number(new URL(address).port),
    /** Lines of the log that may not be there: errors, and such that name a session. */
    badLines,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** After all garbage is collected. Zero where the system does not tell. */
    async usage(): Promise<Usage> {
      child.kill('SIGUSR2');
      await pause(COLLECTING_MS);
      const heapMB = Number(await heapBytes()) / 1e6;
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const residentMB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1e3;
      const descriptors = (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
      return { descriptors, heapMB, residentMB };
    },
    /** Its exit code, when it ends as an orchestrator ends it. */
    async stop(): Promise<number | null> {
      if (child.exitCode === null) child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Hands each whole line on. */
function linesInto(take: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}
