import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PageError, scriptError } from './scriptError.ts';

type MathRun = { ok: true } | { ok: false; error: PageError };

export type MathScript = {
  /** Its sources: a change of a file in here runs it again. */
  folder: string;
  /** Runs it to its end; a run that is still on is stopped first. */
  run(): Promise<MathRun>;
  stop(): Promise<void>;
};

const SCRIPT = /\.[cm]?[jt]s$/;
const TYPESCRIPT = /\.[cm]?ts$/;
const ERROR_CHARACTERS = 4_000;
const IS_WINDOWS = process.platform === 'win32';

/** The generator of a game's published files: a script, or a command line. */
export function createMathScript({ root, math }: { root: string; math: string }): MathScript {
  const script = path.resolve(root, math);
  const isScript = SCRIPT.test(math) && existsSync(script);
  let running: ChildProcess | undefined;

  const stop = async () => {
    // Several that wait for the end of a run go on one after another, and each may have begun one.
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
      // With a process group of its own, so that the end of a command line reaches all of it.
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

/** The errors of a process: to the terminal, and their end for a page. */
export function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    process.stderr.write(more);
    text = (text + more).slice(-ERROR_CHARACTERS);
  });
  return () => text.trim();
}

/**
 * TypeScript runs by the project's tsx, as its own scripts do; without it Node has to know
 * TypeScript.
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
    // It has ended, and its event is on the way.
  }
}
