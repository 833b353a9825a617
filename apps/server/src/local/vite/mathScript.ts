import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PageError, scriptError } from './scriptError.ts';

type MathRun = { ok: true } | { ok: false; error: PageError };

export type MathScript = {
  /** The sources lie here: a change of one runs the script again. */
  folder: string;
  /** Stops a run that is still on, then runs the script to its end. */
  run(): Promise<MathRun>;
  stop(): Promise<void>;
};

const SCRIPT = /\.[cm]?[jt]s$/;
const TYPESCRIPT = /\.[cm]?ts$/;
const ERROR_CHARACTERS = 4_000;
const IS_WINDOWS = process.platform === 'win32';

/** Runs the generator of a game's published files: a script, or a command line. */
export function createMathScript({ root, math }: { root: string; math: string }): MathScript {
  const script = path.resolve(root, math);
  const isScript = SCRIPT.test(math) && existsSync(script);
  let running: ChildProcess | undefined;

  const stop = async () => {
    // Several may wait for the end of a run. They go on in turn, and each may have begun one.
    while (running !== undefined && isRunning(running)) {
      const closed = once(running, 'close');
      end(running);
      await closed;
    }
  };

  return {
    folder: isScript ? path.dirname(script) : path.join(root, 'math'),
    stop,
    async run() {
      await stop();
      // The end of a command line must reach its whole process group.
      const options = { cwd: root, detached: !IS_WINDOWS, stdio: ['ignore', 'inherit', 'pipe'] as const };
      const child = isScript
        ? spawn(process.execPath, [...loaderFor(root, script), script], { ...options, stdio: [...options.stdio] })
        : spawn(math, { ...options, stdio: [...options.stdio], shell: true });
      running = child;
      const printed = collect(child);
      const [code] = (await once(child, 'close').catch((error) => [error])) as [number | Error | null];
      if (code === 0) return { ok: true };
      const why = code instanceof Error ? code.message : printed();
      return { ok: false, error: scriptError(why, { root, script: math }) };
    },
  };
}

/** Sends the errors of a process to the terminal, and keeps their end for a page. */
export function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    process.stderr.write(more);
    text = (text + more).slice(-ERROR_CHARACTERS);
  });
  return () => text.trim();
}

/**
 * The project's tsx runs TypeScript, as in its own scripts; without it Node has to know TypeScript.
 */
function loaderFor(root: string, script: string): string[] {
  if (!TYPESCRIPT.test(script)) return [];
  try {
    const tsx = createRequire(path.join(root, 'package.json')).resolve('tsx');
    return ['--import', pathToFileURL(tsx).href];
  } catch {
    return [];
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

function end(child: ChildProcess): void {
  if (IS_WINDOWS || child.pid === undefined) {
    child.kill();
    return;
  }
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The process has ended already, and its event comes soon.
  }
}
