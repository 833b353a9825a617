import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./commandHost.mjs', import.meta.url));
const STREAMS = ['stdout', 'stderr'] as const;

export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
/** `env` is the whole environment; nothing is inherited. */
type Run = { args: readonly string[]; env: NodeJS.ProcessEnv };
/** `command` is the script that an installation starts. */
type Place = { command: string; cwd: string };
type Host = (run: Run) => Promise<Exit>;

/** Each place has one: a host cannot change its folder once it has loaded the command. */
const hosts = new Map<string, Host>();

/**
 * Runs the built command to its end, in a process that all such runs share. A run is over when
 * nothing is left that would keep a separate process alive. Runs that start together take turns.
 */
export function runInHost(run: Run, place: Place): Promise<Exit> {
  const key = JSON.stringify(place);
  const host = hosts.get(key) ?? startHost(key, place);
  hosts.set(key, host);
  return host(run);
}

/** Starts a host that ends with us, which closes its standard input. */
function startHost(key: string, { command, cwd }: Place): Host {
  const child = spawn(process.execPath, [SCRIPT, command], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  child.unref();
  for (const stream of child.stdio) (stream as Socket).unref();
  const printed = { stdout: '', stderr: '' };
  let look = () => {};
  for (const name of STREAMS) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      look();
    });
  }
  // A run that brings the process down has ended with it.
  const closed = once(child, 'close').then(([code, signal]): Exit => {
    hosts.delete(key);
    return { code, signal, ...printed };
  });

  let runs = 0;
  function begin(run: Run): Promise<Exit> {
    runs += 1;
    const end = new RegExp(`^([^]*)\0end ${runs} (\\d+)\0`);
    const ended = new Promise<Exit>((resolve) => {
      look = () => {
        const [stdout, stderr] = STREAMS.map((name) => printed[name].match(end));
        if (!stdout || !stderr) return;
        for (const name of STREAMS) printed[name] = '';
        resolve({ code: Number(stdout[2]), signal: null, stdout: stdout[1] ?? '', stderr: stderr[1] ?? '' });
      };
    });
    child.stdin.write(`${JSON.stringify({ id: runs, ...run })}\n`);
    return Promise.race([ended, closed]);
  }

  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const exit = last.then(() => begin(run));
    last = exit;
    return exit;
  };
}
