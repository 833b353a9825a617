import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { expectLedgersAgree, settled } from '../chaos/agreement.ts';
import { type ChaosPlayer, createChaosPlayer } from '../chaos/chaosPlayer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { openStage } from '../chaos/simulate.ts';
import { drawFairly, type Entered, expectFairRounds, fairRoundsText, setClientSeeds } from '../fair/fairShare.ts';
import { newPlayers } from '../workers/players.ts';

/** The number of players of each kind: with and without Idempotency-Keys, house and operator. */
const PLAYERS = 20;
/** This number shows as much, for a third of the processor time. */
export const FEW_PLAYERS = 5;
/** A player waits at most this long between two rounds. */
export const THINK_MS = 200;

type Options = {
  databaseUrl: string;
  seed: number;
  /** The count is per kind. */
  players?: number;
  env?: NodeJS.ProcessEnv;
  walletTimeoutMs?: number;
};

export type Failing = (players: readonly ChaosPlayer[], random: () => number) => Promise<void>;

/**
 * Players play on two nodes and with the reference operator, while the database fails. Every second
 * one draws by seeds. Afterwards every play with a response exists once, nothing exists twice, all
 * books agree, and each fair draw is verified.
 */
export async function playWhile(
  { databaseUrl, seed, players: playersOfKind = PLAYERS, ...options }: Options,
  failing: Failing,
): Promise<void> {
  await migrate({ url: databaseUrl });
  const game = await writeFixtureGame();
  const db = openDatabase({ url: databaseUrl });
  let stage: Awaited<ReturnType<typeof openStage>> | undefined;
  try {
    const folders = { games: path.dirname(game.folder), data: game.storeFolder };
    stage = await openStage({ ...options, ...folders, databaseUrl });
    const { players, fair } = await enterAll(stage, { databaseUrl, seed, playersOfKind });
    await playDuring({ players, seed }, failing);

    await settled(db);
    for (const player of players) await expectEachOnce(db, player);
    const playerIDs = players.map(({ playerID }) => playerID).filter((playerID) => playerID.startsWith('operator'));
    await expectLedgersAgree(db, { operator: stage.operator, playerIDs, databaseUrl });
    console.log(fairRoundsText(await expectFairRounds(db, { entered: fair, nodes: stage.nodes })));
  } finally {
    if (stage) await Promise.all([stage.operator, ...stage.nodes].map((each) => each.kill()));
    await db.$disconnect();
    await game.remove();
  }
}

/** All players play, one round after the other, until `failing` has resolved. */
export async function playDuring(
  { players, seed }: { players: readonly ChaosPlayer[]; seed: number },
  failing: Failing,
): Promise<void> {
  let isOver = false;
  const playing = players.map(async (player, place) => {
    const random = createRandom(seed, 1_000 + place);
    while (!isOver) {
      await player.playRound();
      await pause(random() * THINK_MS);
    }
  });
  // A first authenticate sends a request to the operator, which is another wait than that for the
  // database.
  const played = () => players.filter(({ plays }) => plays.length > 0).length;
  const failed = expect
    .poll(played)
    .toBe(players.length)
    .then(() => failing(players, createRandom(seed, 0)))
    .finally(() => {
      isOver = true;
    });
  await Promise.all([failed, ...playing]);
}

async function enterAll(
  { nodes, enter }: Awaited<ReturnType<typeof openStage>>,
  { databaseUrl, seed, playersOfKind }: { databaseUrl: string; seed: number; playersOfKind: number },
): Promise<{ players: ChaosPlayer[]; fair: Entered[] }> {
  const kinds = ['house keys', 'house', 'operator keys', 'operator'];
  const names = kinds.flatMap((kind) => Array.from({ length: playersOfKind }, (_, place) => `${kind} ${place}`));
  const first = nodes[0] as { url: string };
  const enterSome = async (some: readonly string[]): Promise<Entered[]> => {
    const ofHouse = some.filter((name) => name.startsWith('house'));
    const issued = await newPlayers(first, databaseUrl, ofHouse);
    const entered = issued.map(({ name, sessionID }) => ({ playerID: name, sessionID }));
    for (const playerID of some)
      if (!ofHouse.includes(playerID)) entered.push({ playerID, sessionID: await enter(playerID) });
    return entered;
  };
  const certified = await enterSome(names.filter((_name, place) => place % 2 === 0));
  await drawFairly(databaseUrl, { url: first.url, entered: certified });
  const fair = await enterSome(names.filter((_name, place) => place % 2 === 1));
  await setClientSeeds(first.url, fair);
  const urls = nodes.map(({ url }) => url);
  const players = [...certified, ...fair].map((entered, place) =>
    createChaosPlayer({
      ...entered,
      nodes: urls,
      random: createRandom(seed, 1 + place),
      hasKeys: entered.playerID.includes('keys'),
    }),
  );
  return { players, fair };
}

/**
 * Checks that a player's rounds are those with a response, and at most one for each uncertain play.
 */
export async function expectEachOnce(
  db: Database,
  { playerID, plays }: Pick<ChaosPlayer, 'playerID' | 'plays'>,
): Promise<void> {
  const rounds = await db.$queryRaw<{ id: bigint; amount: bigint; payout: bigint }[]>`
    SELECT r.id, r.amount_micros AS amount, r.payout_micros AS payout
    FROM rounds r JOIN players p ON p.id = r.player_id
    WHERE p.external_id = ${playerID} AND r.wallet_state IS DISTINCT FROM 'void' ORDER BY r.id`;
  let place = 0;
  let uncertain = 0;
  for (const { roundID, amount, payout } of plays) {
    if (roundID === undefined) {
      uncertain += 1;
      continue;
    }
    const found = rounds.findIndex(({ id }, index) => index >= place && Number(id) === roundID);
    expect(found, `${playerID} was told of round ${roundID}`).toBeGreaterThanOrEqual(place);
    expect(found - place, `rounds of ${playerID} before ${roundID}`).toBeLessThanOrEqual(uncertain);
    expect(rounds[found]).toMatchObject({ amount: BigInt(amount), payout: BigInt(payout ?? 0) });
    place = found + 1;
    uncertain = 0;
  }
  expect(rounds.length - place, `last rounds of ${playerID}`).toBeLessThanOrEqual(uncertain);
}

/** Waits until each player has had a success since then. */
export async function allServed(players: readonly ChaosPlayer[], sinceMs: number): Promise<void> {
  const isServed = ({ calls }: ChaosPlayer) =>
    calls.findLast(({ status, endedMs }) => status === 200 && endedMs > sinceMs) !== undefined;
  await expect.poll(() => players.filter(isServed).length).toBe(players.length);
}

export type Window = { fromMs: number; untilMs: number };

/** Lists the longest times without a success of the players of each wallet, from each fault on. */
export function outagesText(players: readonly ChaosPlayer[], windows: readonly Window[]): string {
  const textOf = (wallet: string) => {
    const own = players.filter(({ playerID }) => playerID.startsWith(wallet));
    const outages = windows.flatMap((window) => own.map((player) => outageOf(player, window)));
    return `${wallet} p50 ${quantile(outages, 0.5)} ms, p99 ${quantile(outages, 0.99)} ms`;
  };
  return `${textOf('house')}; ${textOf('operator')}`;
}

export function playsText(plays: ChaosPlayer['plays']): string {
  const uncertain = plays.filter(({ roundID }) => roundID === undefined).length;
  return `${plays.length} plays, ${uncertain} of them without a certain response`;
}

/** Returns the longest time without a success. A success counts from its request's end on. */
function outageOf({ calls }: ChaosPlayer, { fromMs, untilMs }: Window): number {
  const successes = calls.filter(({ status }) => status === 200).map(({ endedMs }) => endedMs);
  const within = [fromMs, ...successes.filter((at) => at > fromMs && at < untilMs)];
  return Math.max(...within.slice(1).map((at, index) => at - (within[index] as number)));
}

/** Returns a quantile of numbers in any order: 0.5 is the median. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}
