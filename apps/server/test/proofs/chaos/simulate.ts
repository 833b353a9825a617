import { randomBytes } from 'node:crypto';
import type { FaultPlan } from '@roundhouse/contract';
import type { Caller } from '../../operators/api/operatorClient.ts';
import { secretFile, succeed } from '../../support/roundhouse.ts';
import { OPERATOR } from '../../support/testServer.ts';
import { drawFairly, type Entered, setClientSeeds } from '../fair/fairShare.ts';
import { newPlayers } from '../workers/players.ts';
import { type ChaosPlayer, createChaosPlayer } from './chaosPlayer.ts';
import { createGrantGiver, type GrantGiver } from './grantGiver.ts';
import { createRandom, playAndKill, restartOneOf } from './playAndKill.ts';
import { type ChaosProcess, type NodeOptions, OPERATOR_CODE, startNode, startOperator } from './processes.ts';

type SimulationOptions = {
  databaseUrl: string;
  games: string;
  data: string;
  seed: number;
  rounds: number;
  /**
   * Numbers of players with their money at the operator, and at the house. Half of each draw by
   * seeds.
   */
  players: { operator: number; house: number };
  kills: { server: number; operator: number };
};

export type Simulation = {
  players: readonly ChaosPlayer[];
  /** Those whose rounds are drawn by seeds. */
  fairPlayers: readonly Entered[];
  givers: readonly GrantGiver[];
  operator: ChaosProcess;
  nodes: readonly ChaosProcess[];
};

/** On a busy machine honest responses are still in time. */
export const WALLET_TIMEOUT_MS = 2_000;
const ONE_DAY_SECONDS = 86_400;
/** The operator opens an account with this balance. */
export const OPENING_BALANCE = 1_000_000_000;

/** Each fault meets this share of the requests, all at once. */
export const SHARE = 0.05;
export const FAULTS = [
  { kind: 'lost_response' },
  { kind: 'lost_request' },
  { kind: 'silent_close' },
  { kind: 'delay', delayMs: WALLET_TIMEOUT_MS + 500 },
  { kind: 'error', error: 'ERR_UE', afterWork: true },
  { kind: 'error' },
  { kind: 'malformed_response' },
  { kind: 'duplicate' },
] as const;

export function faultPlan(seed: number): FaultPlan {
  return { seed, faults: FAULTS.map((fault) => ({ ...fault, share: SHARE, seconds: ONE_DAY_SECONDS })) };
}

type StageOptions = NodeOptions & {
  walletTimeoutMs?: number;
  /** The second node has these settings as well. */
  envOfSecond?: NodeJS.ProcessEnv | undefined;
  /** The operator's own database; that of the nodes when left out. */
  operatorDatabaseUrl?: string;
};

/** Starts two nodes, and an operator whose players `enter` gives a session. */
export async function openStage({ walletTimeoutMs = WALLET_TIMEOUT_MS, envOfSecond, ...options }: StageOptions) {
  const { databaseUrl, operatorDatabaseUrl = databaseUrl } = options;
  const secret = randomBytes(32).toString('base64url');
  // The nodes start one after the other: the first one indexes the books.
  const first = await startNode(options);
  const nodes = [first, await startNode({ ...options, env: { ...options.env, ...envOfSecond } })];
  const operator = await startOperator({ databaseUrl: operatorDatabaseUrl, rgsUrl: first.url, secret });
  const wallet = ['--wallet-url', `${operator.url}/wallet`, '--wallet-timeout', String(walletTimeoutMs)];
  const secretOption = ['--secret-file', await secretFile(secret)];
  const env = { DATABASE_URL: databaseUrl };
  await succeed(['operator', 'add', OPERATOR_CODE, ...wallet, ...secretOption, '--free-rounds'], { env });
  return {
    nodes,
    operator,
    caller: { code: OPERATOR_CODE, secret },
    /** Returns the sessions of new players of the house, whose secret is the operator's. */
    async enterHouse(playerIDs: string[], game?: { gameID: string; gameVersion: string }): Promise<string[]> {
      const players = await newPlayers(first, databaseUrl, playerIDs, game);
      await succeed(['operator', 'set', OPERATOR, ...secretOption], { env });
      return players.map(({ sessionID }) => sessionID);
    },
    enter: (playerID: string, gameID?: string) => enter(operator, playerID, gameID),
  };
}

/** The operator opens an account for the player and launches a game. Returns the sessionID. */
async function enter(operator: ChaosProcess, playerID: string, gameID = 'fixture'): Promise<string> {
  return (await launchAt(operator, playerID, gameID)).sessionID;
}

/** The operator does the same. The launch URL names the server that the game plays with. */
export async function launchAt(
  operator: ChaosProcess,
  playerID: string,
  gameID = 'fixture',
): Promise<{ sessionID: string; rgsUrl: string }> {
  await api(operator, 'POST', '/api/players', { playerID, currency: 'USD' });
  const launch = { playerID, gameID, currency: 'USD', lang: 'en', device: 'desktop' };
  const { sessionID, url } = await api<{ sessionID: string; url: string }>(operator, 'POST', '/api/launch', launch);
  return { sessionID, rgsUrl: `http://${new URL(url).searchParams.get('rgs_url')}` };
}

/** Players play while requests fail and processes are killed. Returns after the last round. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const { seed } = options;
  const { nodes, operator, caller, enter, enterHouse } = await openStage(options);
  const urls = nodes.map(({ url }) => url);
  const named = (wallet: 'operator' | 'house') =>
    Array.from({ length: options.players[wallet] }, (_, place) => `${wallet}-${place}`);
  const playerIDs = { operator: named('operator'), house: named('house') };
  const enterAll = async (isIn: (playerID: string, place: number) => boolean): Promise<Entered[]> => {
    const [ofOperator, ofHouse] = [playerIDs.operator.filter(isIn), playerIDs.house.filter(isIn)];
    const sessionIDs = [...(await Promise.all(ofOperator.map((id) => enter(id)))), ...(await enterHouse(ofHouse))];
    return [...ofOperator, ...ofHouse].map((playerID, place) => ({ playerID, sessionID: sessionIDs[place] as string }));
  };
  const [first] = nodes as [ChaosProcess];
  const certified = await enterAll((_playerID, place) => place % 2 === 0);
  await drawFairly(options.databaseUrl, { url: first.url, entered: certified });
  const fairPlayers = await enterAll((_playerID, place) => place % 2 === 1);
  await setClientSeeds(first.url, fairPlayers);
  const players = [...certified, ...fairPlayers].map((entered, place) =>
    createChaosPlayer({
      ...entered,
      nodes: urls,
      random: createRandom(seed, place),
      hasGrants: true,
    }),
  );
  const giver = (caller: Caller, ids: readonly string[], place: number) =>
    createGrantGiver({ nodes: urls, caller, playerIDs: ids, random: createRandom(seed, 1_000 + place) });
  const givers = [giver(caller, playerIDs.operator, 0), giver({ ...caller, code: OPERATOR }, playerIDs.house, 1)];
  await switchFaults(operator, faultPlan(seed));
  const victims = [
    { times: options.kills.server, kill: restartOneOf(nodes) },
    {
      times: options.kills.operator,
      async kill(_: () => number, place: number) {
        await operator.restart();
        await switchFaults(operator, faultPlan(seed + place));
      },
    },
  ];
  await playAndKill({ seed, rounds: options.rounds, players, victims, acts: givers.map((giver) => giver.act) });
  await switchFaults(operator, { faults: [] });
  return { players, fairPlayers, givers, operator, nodes };
}

export function switchFaults(operator: ChaosProcess, plan: FaultPlan): Promise<unknown> {
  return api(operator, 'PUT', '/api/bench/wallet-faults', plan);
}

export async function api<Body>(operator: ChaosProcess, method: string, path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(operator.url + path, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}
