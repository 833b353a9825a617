import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AGGREGATORS } from '@roundhouse/aggregators';
import { startChild } from './child.ts';
import { type CpuClock, treeClock } from './cpu.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { atOnceOf, type Bench, probeOf } from './probes.ts';
import { addOperator, inGroups, postJson, runRoundhouse } from './servers.ts';
import type { SimulatorJob, SimulatorResult } from './simulator.ts';
import { untilSettled } from './stage.ts';
import type { WalletJob } from './wallet.ts';

export const OWN_PROTOCOL = 'own protocol';

type DialectFacts = { workload: 'play' | 'round'; dialect: string; connections: number };
export type DialectCell = DialectFacts & Medians;

const CONNECTIONS = [16, 256];
const WORKLOADS = ['play', 'round'] as const;
/** The server verifies 8 unknown sessions at once. */
const AUTHENTICATED_AT_ONCE = 8;

type Players = { sessions: readonly string[]; walletClock: CpuClock };

/**
 * Measures the same rounds with an instant wallet of the server's own protocol, and with the
 * instant simulator of each aggregator. Each wallet runs as a separate process on this machine.
 */
export async function measureDialects(bench: Bench): Promise<DialectCell[]> {
  const numbers = atOnceOf(bench, CONNECTIONS);
  const most = Math.max(...numbers);
  const wallets = [{ dialect: OWN_PROTOCOL, ...(await playersOfOwn(bench, { code: 'own', most })) }];
  for (const { aggregator } of AGGREGATORS) wallets.push(await playersOf(bench, aggregator.name, most));
  const probes = numbers.flatMap((connections) =>
    WORKLOADS.flatMap((workload) =>
      wallets.map(({ dialect, sessions, walletClock }): Probe<DialectFacts> => {
        const job = { server: bench.roundhouse, sessions, workload, connections, countsRefusals: true } as const;
        return { ...probeOf(bench, { ...job, name: dialect }), walletClock, facts: { workload, dialect, connections } };
      }),
    ),
  );
  const untilQuiet = () => untilSettled(bench.stage.db).then(bench.untilQuiet);
  return measureInTurn(probes, { ...bench, untilQuiet });
}

/** Makes an operator with an instant wallet of the server's own protocol, and players of it. */
export async function playersOfOwn(
  { cleanUp, stage, roundhouse }: Bench,
  { code, most }: { code: string; most: number },
): Promise<Players> {
  const wallet = startChild<WalletJob, { url: string }>(cleanUp, 'wallet');
  const { url } = await wallet.run({ delayMs: 0 });
  await addOperator(stage.db, code, url);
  const sessions = Array.from({ length: most }, (_, index) => `${code}:${index}`);
  await authenticate(roundhouse.url, sessions);
  return { sessions, walletClock: treeClock(wallet.pid) };
}

async function playersOf(
  { cleanUp, stage, roundhouse }: Bench,
  dialect: string,
  most: number,
): Promise<Players & { dialect: string }> {
  const simulator = startChild<SimulatorJob, SimulatorResult>(cleanUp, 'simulator');
  const supplierUrl = `${roundhouse.url}/dialects/${dialect}`;
  const { url, settings } = await simulator.run({ dialect, supplierUrl });
  const file = path.join(stage.folders.root, `${dialect}.json`);
  await writeFile(file, JSON.stringify(settings));
  const protocol = ['--wallet-url', url, '--dialect', dialect, '--dialect-settings', file];
  await runRoundhouse(stage.url, ['operator', 'add', dialect, ...protocol]);
  const launch = Array.from({ length: most }, (_, index) => `player-${index}`);
  const { sessions } = await simulator.run({ launch });
  await authenticate(roundhouse.url, sessions);
  return { dialect, sessions, walletClock: treeClock(simulator.pid) };
}

function authenticate(url: string, sessions: readonly string[]): Promise<unknown> {
  return inGroups(sessions, AUTHENTICATED_AT_ONCE, (sessionID) =>
    postJson(`${url}/wallet/authenticate`, { sessionID }),
  );
}
