import type { CleanUp } from '../dist/cli/cleanUp.js';
import { changeOperator } from '../dist/ledger/queries/changeOperator.js';
import { startChild } from './child.ts';
import type { LoopResult } from './closedLoop.ts';
import type { WalletsJob, WalletsResult } from './processes/wallets.ts';
import type { Stage } from './stage.ts';
import type { Target } from './targets.ts';
import { BET_AMOUNT, type BenchPlayer, MODE_OF } from './workload.ts';

const LIVELY_PLAYERS = 16;
const STUCK_PLAYERS = 64;
const SECRET = 'the secret of the operators of the bench';
/** The longest that an operator can be given: the breaker does not come to help meanwhile. */
const HANG_MS = 60_000;

type Speed = Pick<LoopResult, 'roundsPerSecond' | 'play'>;

/** The players of one operator: alone, while those of another one wait for a wallet that hangs, and alone again. */
export type Isolation = { before: Speed; during: Speed; after: Speed; livelyPlayers: number; stuckPlayers: number };

type IsolationOptions = { seconds: number };

export async function measureIsolation(
  cleanUp: CleanUp,
  { db }: Stage,
  { target, seconds }: { target: Target } & IsolationOptions,
): Promise<Isolation> {
  if (target.path.via !== 'http') throw new Error('operators are reached over HTTP');
  const { url } = target.path;
  const wallets = startChild<WalletsJob, WalletsResult>({ name: 'wallets' });
  cleanUp.add(wallets.stop);
  const { quickUrl, hangingUrl } = await wallets.run({ task: 'start' });
  for (const [code, walletUrl] of Object.entries({ quick: quickUrl, hanging: hangingUrl })) {
    const change = { walletUrl, secret: SECRET, walletTimeoutMs: HANG_MS };
    const made = await changeOperator(db, { code, change, mustBeNew: false, makeSecret: () => SECRET });
    if (!made.ok) throw new Error(made.fault.kind);
  }
  const lively = await enter(url, 'quick', LIVELY_PLAYERS);
  const stuck = await enter(url, 'hanging', STUCK_PLAYERS);
  const load = () => target.load({ path: target.path, players: lively, workload: 'play', seconds });

  const before = await load();
  await wallets.run({ task: 'hang' });
  const waiting = stuck.map(({ sessionID }) =>
    post(url, '/wallet/play', { sessionID, amount: BET_AMOUNT, mode: MODE_OF.play }),
  );
  const during = await load();
  const answered = await Promise.race([Promise.race(waiting).then(() => true), Promise.resolve(false)]);
  if (answered) throw new Error('the wallet that was to hang has answered');
  await wallets.run({ task: 'release' });
  await Promise.all(waiting);
  const after = await load();
  return { before, during, after, livelyPlayers: LIVELY_PLAYERS, stuckPlayers: STUCK_PLAYERS };
}

async function enter(url: string, operator: string, count: number): Promise<BenchPlayer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const sessionID = `${operator}:${place}`;
      const { status } = await post(url, '/wallet/authenticate', { sessionID });
      if (status !== 200) throw new Error(`authenticate of ${operator} answered ${status}`);
      return { sessionID, playerID: 0n, sessionRowID: 0n };
    }),
  );
}

async function post(url: string, path: string, body: object): Promise<{ status: number }> {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  await response.arrayBuffer();
  return { status: response.status };
}

export function isolationText({ before, during, after, livelyPlayers, stuckPlayers }: Isolation): string {
  const line = (title: string, { roundsPerSecond, play }: Speed) =>
    `| ${title.padEnd(48)} | ${String(Math.round(roundsPerSecond)).padStart(7)} | ${play.p50Ms.toFixed(2).padStart(6)} | ${play.p99Ms.toFixed(2).padStart(6)} |`;
  const alone = (before.roundsPerSecond + after.roundsPerSecond) / 2;
  return [
    `Two operators with wallets of their own: ${livelyPlayers} players of one, while ${stuckPlayers} of the other wait for a wallet that hangs`,
    '',
    `| ${''.padEnd(48)} | plays/s | p50 ms | p99 ms |`,
    `| ${'-'.repeat(48)} | ------: | -----: | -----: |`,
    line('alone', before),
    line('while the other operator hangs', during),
    line('alone again', after),
    '',
    `While it hangs: ${(during.roundsPerSecond / alone).toFixed(2)} × the plays of alone`,
  ].join('\n');
}
