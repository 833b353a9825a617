import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FaultPlan } from '@roundhouse/contract';

const SIMULATOR = fileURLToPath(new URL('./simulatorProcess.mjs', import.meta.url));

type AggregatorOptions = {
  dialect: string;
  /** Micros, as the bet levels. */
  opening: number;
  gameID: string;
  currency: string;
  betLevels: readonly number[];
};
type Started = { url: string; settings: object; hasFreeRounds: boolean };
type Launch = { player: string; gameID: string; currency: string };
type FreeRounds = Launch & { id: string; bet: number; rounds: number; endsAt: string };

/** An aggregator in a separate process. Tests send it requests, and import nothing of it. */
export type Aggregator = Awaited<ReturnType<typeof startAggregator>>;

/** Its books are in memory, so it is never killed before the end. */
export async function startAggregator(options: AggregatorOptions) {
  const child = fork(SIMULATOR, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const early = ended.then(() => Promise.reject(new Error('the simulator ended')));
  const [started] = (await Promise.race([once(child, 'message'), early])) as [Started];
  const { origin } = new URL(started.url);

  async function control<Body>(path: string, body?: object): Promise<Body> {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/control${path}`, body && post);
    const text = await response.text();
    if (!response.ok) throw new AggregatorError(`${path} responded ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  return {
    ...started,
    /** Its requests go to this node from now on. */
    setNode: (nodeUrl: string, code: string) => control('/supplier', { url: `${nodeUrl}/dialects/${code}` }),
    async launch(launch: Launch): Promise<string> {
      const { url } = await control<{ url: string }>('/launch', { ...launch, language: 'en', device: 'desktop' });
      return new URL(url).searchParams.get('sessionID') ?? '';
    },
    giveFreeRounds: (grant: FreeRounds) => control('/free-rounds', grant),
    cancelFreeRounds: (id: string) => control('/cancel-free-rounds', { id }),
    setFaults: (plan: FaultPlan) => control('/faults', plan),
    setQuirks: (quirks: readonly string[]) => control('/quirks', { quirks }),
    transactions: () => control<{ transactionID?: string }[]>('/transactions'),
    balance: async (player: string, currency: string) =>
      (await control<{ balance: number }>(`/balance?${new URLSearchParams({ player, currency })}`)).balance,
    /** Rejects when its books are wrong. */
    prove: () => control('/prove'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The server did not respond to the aggregator, or refused. */
export class AggregatorError extends Error {}
