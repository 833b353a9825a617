import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WalletPoint } from '../../src/wallets/walletPoints.ts';

const SCRIPT = fileURLToPath(new URL('./crashingNode.mjs', import.meta.url));

export type NodeOptions = { databaseUrl: string; gameFolder: string; storeFolder: string; crashAt?: WalletPoint };

export type CrashingNode = {
  url: string;
  process: ChildProcess;
  /** Resolves when the process is gone, to the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
};

const running = new Set<ChildProcess>();

/** A server of its own process, which dies at the step that is named. */
export async function startCrashingNode(options: NodeOptions): Promise<CrashingNode> {
  const child = fork(SCRIPT, [JSON.stringify({ sweepMs: 100, ...options })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([, signal]) => {
    running.delete(child);
    return signal as NodeJS.Signals | null;
  });
  const ready = once(child, 'message').then(([message]) => (message as { url: string }).url);
  const url = await Promise.race([
    ready,
    ended.then((signal) => Promise.reject(new Error(`the node ended by ${signal}`))),
  ]);
  return {
    url,
    process: child,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function killAllNodes(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      return ended;
    }),
  );
}
