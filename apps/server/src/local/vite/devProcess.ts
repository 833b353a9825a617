import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DevMessage } from '../live.ts';
import { collect } from './mathScript.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/roundhouse.js', import.meta.url));

export type DevProcess = { stop(): Promise<void> };

type DevProcessOptions = {
  root: string;
  args: readonly string[];
  onMessage: (message: DevMessage) => void;
  /** The process ended on its own; `printed` is the last thing that it printed. */
  onExit: (printed: string) => void;
};

/**
 * Starts `roundhouse dev` in a separate process, because verifying math would hold up the front
 * end's server (decision 013). It ends with this process: the channel closes.
 */
export function startDevProcess({ root, args, onMessage, onExit }: DevProcessOptions): DevProcess {
  const child: ChildProcess = fork(COMMAND, ['dev', ...args, '--watch', '--report-to-parent'], {
    cwd: root,
    // The flags of this process may be those of a test runner.
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // A Ctrl-C at the terminal is for this process, which then stops the other one.
    detached: process.platform !== 'win32',
  });
  let isStopping = false;
  const printed = collect(child);
  child.on('message', (message) => onMessage(message as DevMessage));
  const closed = once(child, 'close').then(
    () => printed(),
    (error: Error) => error.message,
  );
  void closed.then((words) => {
    if (!isStopping) onExit(words);
  });
  return {
    async stop() {
      isStopping = true;
      child.kill('SIGTERM');
      await closed;
    },
  };
}
