import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Failpoint } from '../../src/wallets/seamless/transactionSender.ts';

const SCRIPT = fileURLToPath(new URL('./crashingNode.mjs', import.meta.url));

type NodeOptions = {
  databaseUrl: string;
  gameFolder: string;
  storeFolder: string;
  crashAt?: Failpoint;
  /** False: it gives debits up, and retries nothing. */
  retries?: boolean;
};

export type CrashingNode = {
  url: string;
  /** Resolves when the process is gone, to the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
  /** It stops to serve; its process is for a later node. */
  leave(): Promise<void>;
  pause(): void;
  resume(): void;
};

type NodeProcess = {
  child: ChildProcess;
  isServing: boolean;
  /** The message with which it last became ready for something else. */
  said: Promise<unknown>;
  ended: Promise<NodeJS.Signals | null>;
};

const processes = new Set<NodeProcess>();

/**
 * A server in a process of its own, which dies at the step that is named. The next process is made
 * ready meanwhile.
 */
export async function startCrashingNode(options: NodeOptions): Promise<CrashingNode> {
  const idle = [...processes].filter(({ isServing }) => !isServing);
  const node = idle[0] ?? startProcess();
  node.isServing = true;
  if (idle.length < 2) startProcess();
  await node.said;
  const { url } = (await tell(node, { sweepMs: 100, ...options })) as { url: string };
  return {
    url,
    ended: node.ended,
    async kill() {
      node.child.kill('SIGKILL');
      await node.ended;
    },
    async leave() {
      if (!processes.has(node)) return;
      await tell(node, 'leave off');
      node.isServing = false;
    },
    pause: () => void node.child.kill('SIGSTOP'),
    resume: () => void node.child.kill('SIGCONT'),
  };
}

export async function endProcesses(): Promise<void> {
  const ended = [...processes].map((node) => node.ended);
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(ended);
}

function startProcess(): NodeProcess {
  const child = fork(SCRIPT, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([, signal]) => {
    processes.delete(node);
    return signal as NodeJS.Signals | null;
  });
  const node = { child, isServing: false, said: responseOf(child, ended), ended };
  processes.add(node);
  return node;
}

function tell(node: NodeProcess, message: object | string): Promise<unknown> {
  node.said = responseOf(node.child, node.ended);
  node.child.send(message);
  return node.said;
}

function responseOf(child: ChildProcess, ended: Promise<unknown>): Promise<unknown> {
  const answered = once(child, 'message').then(([message]) => message);
  const gone = ended.then((signal) => Promise.reject(new Error(`the node ended by ${signal}`)));
  const response = Promise.race([answered, gone]);
  // Whoever waits for it is told; a process that is killed while nobody does is no failure.
  response.catch(() => {});
  return response;
}
