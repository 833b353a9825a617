import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Failpoint } from '../../../src/rounds/wallets/seamless/transactionSender.ts';

const SCRIPT = fileURLToPath(new URL('./crashingNode.mjs', import.meta.url));

type NodeOptions = {
  databaseUrl: string;
  gameFolder: string;
  storeFolder: string;
  crashAt?: Failpoint;
  /** When it is false, the node gives debits up, and retries nothing. */
  retries?: boolean;
  /** It traces by these variables of OpenTelemetry. */
  tracing?: Record<string, string>;
};

export type CrashingNode = Awaited<ReturnType<typeof startCrashingNode>>;

type NodeProcess = {
  child: ChildProcess;
  ended: Promise<NodeJS.Signals | null>;
  ready: Promise<unknown>;
  isServing: boolean;
};

const processes = new Set<NodeProcess>();

/** Starts a server in a separate process. The next process is made ready meanwhile. */
export async function startCrashingNode(options: NodeOptions) {
  const idle = [...processes].filter(({ isServing }) => !isServing);
  const node = idle[0] ?? startProcess();
  node.isServing = true;
  if (idle.length < 2) startProcess();
  await node.ready;
  const { url } = (await tell(node, { sweepMs: 100, ...options })) as { url: string };
  return {
    url,
    /** Resolves when the process is gone, to the signal that ended it. */
    ended: node.ended,
    async kill() {
      node.child.kill('SIGKILL');
      await node.ended;
    },
    /** Stops to serve; its process is for a later node. */
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
  const node: NodeProcess = { child, ended, ready: nextMessage({ child, ended }), isServing: false };
  processes.add(node);
  return node;
}

function tell(node: NodeProcess, message: object | string): Promise<unknown> {
  const response = nextMessage(node);
  node.child.send(message);
  return response;
}

function nextMessage({ child, ended }: Pick<NodeProcess, 'child' | 'ended'>): Promise<unknown> {
  const gone = ended.then((signal) => Promise.reject(new Error(`the node ended by ${signal}`)));
  const message = Promise.race([once(child, 'message').then(([said]) => said), gone]);
  // A process that is killed while nobody waits for it is not a failure.
  message.catch(() => {});
  return message;
}
