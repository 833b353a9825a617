import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultPlan } from '@roundhouse/contract';
import { seededRandom } from '@roundhouse/math';
import { secretFile, succeed } from '../support/roundhouse.ts';
import { type ChaosPlayer, createChaosPlayer } from './chaosPlayer.ts';
import { OPERATOR_CODE, type OperatorProcess, startOperatorProcess } from './operatorProcess.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

export type SimulationOptions = {
  databaseUrl: string;
  games: string;
  data: string;
  seed: number;
  rounds: number;
  players: number;
  serverKills: number;
  operatorKills: number;
};

export type Simulation = {
  players: readonly ChaosPlayer[];
  operator: OperatorProcess;
  nodes: readonly ServerProcess[];
  /** What was injected, by kind. */
  kills: { server: number; operator: number };
};

/**
 * Honest responses are in time also where others have the cores: else all are uncertain, and the
 * breaker lets nothing through.
 */
const WALLET_TIMEOUT_MS = 2_000;
const SHARE = 0.05;

/** Every fault at once, 5 % of the calls each. */
function faultPlan(seed: number): FaultPlan {
  const share = SHARE;
  return {
    seed,
    faults: [
      { kind: 'lost_response', share },
      { kind: 'lost_request', share },
      { kind: 'delay', delayMs: WALLET_TIMEOUT_MS + 500, share },
      { kind: 'error', error: 'ERR_UE', afterWork: true, share },
      { kind: 'error', share },
      { kind: 'malformed_response', share },
      { kind: 'duplicate', share },
    ],
  };
}

/**
 * Players who play, while everything fails and processes are killed at random moments. Returns when
 * all rounds are played.
 */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const { seed, databaseUrl, games, data } = options;
  const secret = randomBytes(32).toString('base64url');
  // One after the other: the first one indexes the books.
  const first = await startServerProcess({ databaseUrl, games, data });
  const nodes = [first, await startServerProcess({ databaseUrl, games, data })];
  const operator = await startOperatorProcess({ databaseUrl, rgsUrl: first.url, secret });
  const settings = [
    '--wallet-url',
    `${operator.url}/wallet`,
    '--secret-file',
    await secretFile(secret),
    '--wallet-timeout',
    String(WALLET_TIMEOUT_MS),
  ];
  await succeed(['operator', 'add', OPERATOR_CODE, ...settings], { env: { DATABASE_URL: databaseUrl } });

  const players = await Promise.all(
    Array.from({ length: options.players }, (_, place) =>
      enter(place, { operator, nodes, random: createRandom(seed, place) }),
    ),
  );
  await switchFaults(operator, faultPlan(seed));
  const kills = await playAndKill({ ...options, players, operator, nodes });
  await switchFaults(operator, { faults: [] });
  return { players, operator, nodes, kills };
}

type Casino = { operator: OperatorProcess; nodes: readonly ServerProcess[]; random: () => number };

async function enter(place: number, { operator, nodes, random }: Casino): Promise<ChaosPlayer> {
  const playerID = `chaos-${place}`;
  await api(operator, 'POST', '/api/players', { playerID, currency: 'USD' });
  const launch = { playerID, gameID: 'fixture', currency: 'USD', lang: 'en', device: 'desktop' };
  const { sessionID } = await api<{ sessionID: string }>(operator, 'POST', '/api/launch', launch);
  return createChaosPlayer({ playerID, sessionID, nodes: nodes.map(({ url }) => url), random });
}

type Running = Omit<SimulationOptions, 'players'> & Pick<Simulation, 'players' | 'operator' | 'nodes'>;

async function playAndKill({ seed, rounds, players, operator, nodes, serverKills, operatorKills }: Running) {
  const random = createRandom(seed, players.length);
  let begun = 0;
  const playing = Promise.all(
    players.map(async (player) => {
      while (begun < rounds) {
        begun += 1;
        await player.playRound();
      }
    }),
  );
  const kills = { server: 0, operator: 0 };
  const victims = shuffle([...Array(serverKills).fill('server'), ...Array(operatorKills).fill('operator')], random);
  const killing = (async () => {
    for (const [place, victim] of victims.entries()) {
      // Spread over the rounds, each at a random moment.
      const due = (rounds * (place + 0.5)) / (victims.length + 1);
      while (begun < due) await pause(5);
      await pause(random() * 200);
      if (victim === 'server') await nodes[Math.floor(random() * nodes.length)]?.restart();
      else {
        await operator.restart();
        await switchFaults(operator, faultPlan(seed + place));
      }
      kills[victim as keyof typeof kills] += 1;
    }
  })();
  await Promise.all([playing, killing]);
  return kills;
}

/** From 0 to below 1. Each pair of numbers is a source of its own. */
function createRandom(seed: number, stream: number): () => number {
  const source = seededRandom({ stream: seed, round: stream });
  return () => source.below(2 ** 32) / 2 ** 32;
}

function shuffle<Value>(values: Value[], random: () => number): Value[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [values[last], values[other]] = [values[other] as Value, values[last] as Value];
  }
  return values;
}

function switchFaults(operator: OperatorProcess, plan: FaultPlan): Promise<unknown> {
  return api(operator, 'PUT', '/api/bench/wallet-faults', plan);
}

export async function api<Body>(operator: OperatorProcess, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(operator.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}
