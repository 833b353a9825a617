import { changeOperator } from '../../dist/ledger/queries/changeOperator.js';
import { startChild } from '../child.ts';
import type { LoadResult } from '../generators/closedLoop.ts';
import type { WalletsJob, WalletsResult } from '../processes/wallets.ts';
import { postJson } from '../servers/postJson.ts';
import { type Crowd, gather } from '../stage/crowd.ts';
import { BET, type BenchPlayer } from '../workload.ts';
import type { Bench } from './bench.ts';

const LIVELY_PLAYERS = 16;
/** More than play at once; see Crowd. */
const LIVELY_SESSIONS = 2 * LIVELY_PLAYERS;
const STUCK_PLAYERS = 64;
const SECRET = 'the secret of the operators of the bench';
/** The longest that an operator can be given: the breaker does not come to help meanwhile. */
const HANG_MS = 60_000;

/** The players of one operator: alone, while those of another one wait for a wallet that hangs, and alone again. */
export type Isolation = {
  before: LoadResult;
  during: LoadResult;
  after: LoadResult;
  livelyPlayers: number;
  stuckPlayers: number;
};

export async function measureIsolation({ cleanUp, stage, roundhouse, http, seconds }: Bench): Promise<Isolation> {
  const { db, folders } = stage;
  const { url } = roundhouse;
  const wallets = startChild<WalletsJob, WalletsResult>({ name: 'wallets' });
  cleanUp.add(wallets.stop);
  const { quickUrl, hangingUrl } = await wallets.run({ task: 'start' });
  for (const [code, walletUrl] of Object.entries({ quick: quickUrl, hanging: hangingUrl })) {
    const change = { walletUrl, secret: SECRET, walletTimeoutMs: HANG_MS };
    const made = await changeOperator(db, { code, kind: 'add_or_set', change, makeSecret: () => SECRET });
    if (!made.ok) throw new Error(made.fault.kind);
  }
  const crowd: Crowd = await gather(folders.root, 'lively', await enter(url, 'quick', LIVELY_SESSIONS));
  const stuck = await enter(url, 'hanging', STUCK_PLAYERS);
  const load = () => http.load({ url, workload: 'play', crowd, connections: LIVELY_PLAYERS, seconds });

  const before = await load();
  await wallets.run({ task: 'hang' });
  let answered = 0;
  const waiting = stuck.map(async ({ sessionID }) => {
    // Once it is let go, its answer may well be a refusal.
    await postJson(url + BET.lose.path, { sessionID, ...BET.lose.fields }).catch(() => {});
    answered += 1;
  });
  const during = await load();
  if (answered > 0) throw new Error('the wallet that was to hang has answered');
  await wallets.run({ task: 'release' });
  await Promise.all(waiting);
  const after = await load();
  return { before, during, after, livelyPlayers: LIVELY_PLAYERS, stuckPlayers: STUCK_PLAYERS };
}

async function enter(url: string, operator: string, count: number): Promise<BenchPlayer[]> {
  const players = Array.from({ length: count }, (_, place) => ({
    sessionID: `${operator}:${String(place).padStart(4, '0')}`,
    number: 0,
  }));
  await Promise.all(players.map(({ sessionID }) => postJson(`${url}/wallet/authenticate`, { sessionID })));
  return players;
}
