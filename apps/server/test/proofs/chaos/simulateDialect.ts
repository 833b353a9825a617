import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { type Aggregator, AggregatorError, startAggregator } from './aggregator.ts';
import { type ChaosPlayer, createChaosPlayer } from './chaosPlayer.ts';
import { createRandom, playAndKill, restartOneOf } from './playAndKill.ts';
import { type ChaosProcess, type NodeOptions, startNode } from './processes.ts';
import { faultPlan, OPENING_BALANCE, WALLET_TIMEOUT_MS } from './simulate.ts';

export const AGGREGATOR_CODE = 'aggregator';
const GAME = { gameID: 'fixture', currency: 'USD' };
const BET_LEVELS = [200_000, 1_000_000, 100_000_000];
const BETS = BET_LEVELS.slice(0, 2);
const HOUR_MS = 3_600_000;
/** The number of wallet transactions that wait for staff at the end. */
const LEAST_PARKED = 4;
/** Some grants end in the middle of their rounds. */
const SOON_MS = 8_000;

type Options = NodeOptions & {
  db: Database;
  dialect: string;
  seed: number;
  rounds: number;
  players: number;
  kills: number;
};

export type DialectSimulation = {
  aggregator: Aggregator;
  nodes: readonly ChaosProcess[];
  players: readonly ChaosPlayer[];
  /** The aggregator gave these grants. */
  grantIDs: readonly string[];
};

/** Starts two nodes, the aggregator, and players whom it has launched. */
async function openDialectStage({ dialect, seed, players: count, ...options }: Options) {
  const aggregator = await startAggregator({ dialect, opening: OPENING_BALANCE, ...GAME, betLevels: BET_LEVELS });
  const first = await startNode(options);
  const nodes = [first, await startNode(options)];
  const settings = path.join(await temporaryFolder('settings'), 'settings.json');
  await writeFile(settings, JSON.stringify(aggregator.settings));
  const wallet = ['--wallet-url', aggregator.url, '--wallet-timeout', String(WALLET_TIMEOUT_MS)];
  const protocol = ['--dialect', dialect, '--dialect-settings', settings];
  const env = { DATABASE_URL: options.databaseUrl };
  await succeed(['operator', 'add', AGGREGATOR_CODE, ...wallet, ...protocol], { env });
  await aggregator.setNode(first.url, AGGREGATOR_CODE);
  const urls = nodes.map(({ url }) => url);
  const launched = Array.from({ length: count }, async (_, place) => {
    const playerID = `player-${place}`;
    const sessionID = await aggregator.launch({ player: playerID, ...GAME });
    return createChaosPlayer({ playerID, sessionID, nodes: urls, random: createRandom(seed, place), hasGrants: true });
  });
  return { aggregator, nodes, players: await Promise.all(launched) };
}

/**
 * Players play while requests to the aggregator's wallet fail and nodes are killed. Then the time
 * of all retries ends. Returns when the wallet works again.
 */
export async function simulateDialect(options: Options): Promise<DialectSimulation> {
  const { db, seed, rounds, kills } = options;
  const stage = await openDialectStage(options);
  const { aggregator, nodes, players } = stage;
  const giver = createGiver(stage, createRandom(seed, 1_000));
  await aggregator.setFaults(faultPlan(seed));
  await aggregator.setQuirks(['writes binary fractions', 'begins with a byte order mark']);
  const victims = [{ times: kills, kill: restartOneOf(nodes) }];
  await playAndKill({ seed, rounds, players, victims, acts: aggregator.hasFreeRounds ? [giver.act] : [] });
  await passTimeLimit(stage, db);
  await aggregator.setFaults({ faults: [] });
  return { ...stage, grantIDs: giver.grantIDs };
}

type Stage = Awaited<ReturnType<typeof openDialectStage>>;

/** Acts as the aggregator does: it gives free rounds, and cancels them. */
function createGiver({ aggregator, nodes, players }: Stage, random: () => number) {
  const grantIDs: string[] = [];
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;

  /** Sends it to any node until one responds; false when the grant would have ended meanwhile. */
  async function insist(send: () => Promise<unknown>, endsAt: Date): Promise<boolean> {
    while (endsAt.getTime() > Date.now()) {
      try {
        await aggregator.setNode(pick(nodes).url, AGGREGATOR_CODE);
        await send();
        return true;
      } catch (error) {
        if (!(error instanceof AggregatorError)) throw error;
        await pause(50);
      }
    }
    return false;
  }

  async function give(): Promise<void> {
    const id = randomUUID();
    const endsAt = new Date(Date.now() + (random() < 0.25 ? SOON_MS * (0.25 + random()) : HOUR_MS));
    const rounds = 1 + Math.floor(random() * 4);
    const grant = {
      id,
      player: pick(players).playerID,
      ...GAME,
      bet: pick(BETS),
      rounds,
      endsAt: endsAt.toISOString(),
    };
    const isGiven = await insist(() => aggregator.giveFreeRounds(grant), endsAt);
    if (isGiven) grantIDs.push(id);
    // The same request gives nothing twice.
    if (isGiven && random() < 0.3) await insist(() => aggregator.giveFreeRounds(grant), endsAt);
  }

  async function cancel(): Promise<void> {
    const id = pick(grantIDs.slice(-20));
    if (id !== undefined) await insist(() => aggregator.cancelFreeRounds(id), new Date(Date.now() + HOUR_MS));
  }

  return { grantIDs, act: () => (random() < 0.85 ? give() : cancel()) };
}

/**
 * Most requests get lost, some after the work, and nothing is retried for long: then it is parked.
 */
async function passTimeLimit({ aggregator, nodes, players }: Stage, db: Database): Promise<void> {
  const lost = [
    { kind: 'lost_response', share: 0.4 },
    { kind: 'lost_request', share: 0.3 },
  ] as const;
  await aggregator.setFaults({ faults: [...lost] });
  const body = ({ sessionID }: ChaosPlayer) => JSON.stringify({ sessionID, amount: 1_000_000, mode: 'AUTO' });
  const play = (player: ChaosPlayer, place: number) =>
    fetch(`${nodes[place % nodes.length]?.url}/wallet/play`, { method: 'POST', body: body(player) });
  const endRetries = () => db.$executeRaw`
    UPDATE wallet_transactions SET retry_until = now(), due_at = least(due_at, now())
    WHERE state = 'pending' AND kind <> 'debit'`;
  const parkSome = async () => {
    await Promise.all(players.map(play));
    await endRetries();
    expect(await db.walletTransaction.count({ where: { state: 'parked' } })).toBeGreaterThanOrEqual(LEAST_PARKED);
  };
  await vi.waitFor(parkSome, { timeout: 100_000, interval: 500 });
  const settleRest = async () => {
    await endRetries();
    // Some dialects send a rollback a minute later, when the wallet works again.
    expect(await db.walletTransaction.count({ where: { state: 'pending', attempts: { gt: 0 } } })).toBe(0);
  };
  await vi.waitFor(settleRest, { timeout: 100_000, interval: 500 });
}
