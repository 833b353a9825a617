import { startChild } from './child.ts';
import { type CpuClock, treeClock } from './cpu.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { atOnceOf, type Bench, probeOf } from './probes.ts';
import { addOperator, inGroups, postJson, startOperator } from './servers.ts';
import { unsettled, untilSettled } from './stage.ts';
import type { WalletJob } from './wallet.ts';

const SLOW_MS = 20;
const WALLETS = ['house wallet', 'instant wallet', 'wallet that takes 20 ms', 'reference operator'] as const;
export type Wallet = (typeof WALLETS)[number];

type SeamlessFacts = { wallet: Wallet; connections: number };
/** `unsettled` counts wallet transactions without a result when the last response came. */
export type SeamlessCell = SeamlessFacts & Medians;

const CONNECTIONS = [1, 16, 64, 256, 1024];
/** The server verifies 8 unknown sessions at once. */
const AUTHENTICATED_AT_ONCE = 8;
const LAUNCHED_AT_ONCE = 16;

type Players = { sessions: readonly string[]; walletClock?: CpuClock };

/** Measures the same plays with the money in wallets of several kinds, all on this machine. */
export async function measureSeamless(bench: Bench): Promise<SeamlessCell[]> {
  const { stage } = bench;
  const numbers = atOnceOf(bench, CONNECTIONS);
  const players = await playersOf(bench, Math.max(...numbers));
  const probes = numbers.flatMap((connections) =>
    WALLETS.map((wallet): Probe<SeamlessFacts> => {
      const { sessions, walletClock } = players[wallet];
      const job = { server: bench.roundhouse, sessions, workload: 'play', connections, countsRefusals: true } as const;
      const probe = probeOf(bench, { ...job, name: wallet });
      const load = async (seconds: number) => ({
        ...(await probe.load(seconds)),
        unsettled: await unsettled(stage.db),
      });
      return { ...probe, load, walletClock, facts: { wallet, connections } };
    }),
  );
  // The server completes lost rounds at the operator after their responses.
  const untilQuiet = () => untilSettled(stage.db).then(bench.untilQuiet);
  return measureInTurn(probes, { ...bench, untilQuiet });
}

/** One process is the instant and the slow wallet. */
async function playersOf(bench: Bench, most: number): Promise<Record<Wallet, Players>> {
  const { cleanUp, stage, roundhouse } = bench;
  const child = startChild<WalletJob, { url: string }>(cleanUp, 'wallet');
  const playersOfQuick = async (code: 'instant' | 'slow', delayMs: number): Promise<Players> => {
    const { url } = await child.run({ delayMs });
    await addOperator(stage.db, code, url);
    // The prefix names the operator, and its wallet invents the player.
    const sessions = Array.from({ length: most }, (_, index) => `${code}:${index}`);
    const authenticate = (sessionID: string) => postJson(`${roundhouse.url}/wallet/authenticate`, { sessionID });
    await inGroups(sessions, AUTHENTICATED_AT_ONCE, authenticate);
    return { sessions, walletClock: treeClock(child.pid) };
  };
  return {
    'house wallet': { sessions: stage.sessions },
    'instant wallet': await playersOfQuick('instant', 0),
    'wallet that takes 20 ms': await playersOfQuick('slow', SLOW_MS),
    'reference operator': await playersOfReference(bench, most),
  };
}

async function playersOfReference({ cleanUp, stage, roundhouse }: Bench, most: number): Promise<Players> {
  const operator = await startOperator(cleanUp, stage, roundhouse.url);
  const names = Array.from({ length: most }, (_, index) => `player-${index}`);
  const sessions = await inGroups(names, LAUNCHED_AT_ONCE, operator.launch);
  return { sessions, walletClock: operator.clock };
}
