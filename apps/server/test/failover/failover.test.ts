import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { migrate } from '../../src/ledger/migrate.ts';
import { type ChaosPlayer, createChaosPlayer } from '../chaos/chaosPlayer.ts';
import { expectLedgersAgree, settled } from '../chaos/settle.ts';
import { createRandom, openStage } from '../chaos/simulate.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { newPlayers } from '../workers/players.ts';
import { FAULTS, type Fault, startPair } from './pair.ts';

// `npm run failover -- --times 30 --seed 7` sets these.
const TIMES = Number(process.env.FAILOVER_TIMES ?? 2);
const SEED = Number(process.env.FAILOVER_SEED ?? 20_261_123);
/** Of each kind: with and without Idempotency-Keys, of the house and of the operator. */
const PLAYERS = 20;
/** Between two rounds of a player, at most. */
const THINK_MS = 200;
/** Until somebody promotes the standby, at most. Longer than a request waits, every fourth time. */
const TAKEOVER_MS = { usual: 1_500, late: 8_000 };

type Cycle = { fault: Fault; takeoverMs: number; failedMs: number; untilMs: number };

let pair: Awaited<ReturnType<typeof startPair>> | undefined;
let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterAll(async () => {
  if (stage) await Promise.all([stage.operator, ...stage.nodes].map((each) => each.kill()));
  await pair?.close();
});

it(`${TIMES} times the database fails over, seed ${SEED}: no acknowledged play is lost, none is doubled`, {
  timeout: 300_000 + TIMES * 60_000,
}, async () => {
  const game = await writeFixtureGame();
  pair = await startPair();
  const databaseUrl = pair.url;
  await migrate({ url: databaseUrl });
  const env = { ROUNDHOUSE_REQUIRE_SYNC: '1' };
  stage = await openStage({ databaseUrl, games: path.dirname(game.folder), data: game.storeFolder, env });
  const db = openDatabase({ url: databaseUrl });
  try {
    const players = await enterAll(stage, databaseUrl);
    let isOver = false;
    const playing = Promise.all(
      players.map(async (player, place) => {
        const random = createRandom(SEED, 1_000 + place);
        while (!isOver) {
          await player.playRound();
          await pause(random() * THINK_MS);
        }
      }),
    );
    const cycles: Cycle[] = [];
    const failing = (async () => {
      const random = createRandom(SEED, 0);
      // A first authenticate asks the operator, which is another wait than that for the database.
      const played = () => players.filter(({ plays }) => plays.length > 0).length;
      await expect.poll(played, { timeout: 60_000 }).toBe(players.length);
      while (cycles.length < TIMES) cycles.push(await failOver(players, { random, place: cycles.length }));
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([failing, playing]);

    await settled(db);
    for (const player of players) await expectEachOnce(db, player);
    const playerIDs = players.map(({ playerID }) => playerID).filter((playerID) => playerID.startsWith('operator'));
    await expectLedgersAgree(db, { operator: stage.operator, playerIDs, databaseUrl });
    report(players, cycles);
  } finally {
    await db.$disconnect();
    await game.remove();
  }
});

async function enterAll({ nodes, enter }: NonNullable<typeof stage>, databaseUrl: string): Promise<ChaosPlayer[]> {
  const kinds = ['house keys', 'house', 'operator keys', 'operator'];
  const names = kinds.flatMap((kind) => Array.from({ length: PLAYERS }, (_, place) => `${kind} ${place}`));
  const ofHouse = names.filter((name) => name.startsWith('house'));
  const issued = await newPlayers(nodes[0] as { url: string }, databaseUrl, ofHouse);
  const sessions = new Map(issued.map(({ name, sessionID }) => [name, sessionID]));
  for (const name of names) if (!sessions.has(name)) sessions.set(name, await enter(name));
  const urls = nodes.map(({ url }) => url);
  return names.map((playerID, place) =>
    createChaosPlayer({
      playerID,
      sessionID: sessions.get(playerID) as string,
      nodes: urls,
      random: createRandom(SEED, 1 + place),
      hasKeys: playerID.includes('keys'),
    }),
  );
}

async function failOver(
  players: readonly ChaosPlayer[],
  { random, place }: { random: () => number; place: number },
): Promise<Cycle> {
  const running = pair as NonNullable<typeof pair>;
  await pause(500 + random() * 1_000);
  const fault = FAULTS[Math.floor(random() * FAULTS.length)] as Fault;
  const takeoverMs = place % 4 === 3 ? TAKEOVER_MS.late : random() * TAKEOVER_MS.usual;
  const failedMs = performance.now();
  await running.fail(fault);
  await pause(takeoverMs);
  await running.promote();
  const promotedMs = performance.now();
  const served = () => players.filter(({ successes }) => (successes.at(-1) ?? 0) > promotedMs).length;
  await expect.poll(served, { timeout: 60_000 }).toBe(players.length);
  // Half of the time the earlier primary is back and still takes writes.
  if (fault !== 'kill' && random() < 0.5) {
    await running.wake();
    await pause(random() * 1_000);
  }
  const untilMs = performance.now();
  await running.rebuild();
  return { fault, takeoverMs, failedMs, untilMs };
}

/**
 * The rounds of the player are those that they were told of, and at most one for each uncertain
 * play.
 */
async function expectEachOnce(db: Database, { playerID, plays }: ChaosPlayer): Promise<void> {
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

/** The outage of a player is the longest time without a success, from the fault on. */
function report(players: readonly ChaosPlayer[], cycles: readonly Cycle[]): void {
  for (const { fault, takeoverMs, failedMs, untilMs } of cycles) {
    const outages = (wallet: string) => {
      const own = players.filter(({ playerID }) => playerID.startsWith(wallet));
      const sorted = own.map(({ successes }) => longestGap(successes, { failedMs, untilMs })).sort((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      return `${wallet} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
    };
    console.log(`${fault}, promoted after ${Math.round(takeoverMs)} ms: ${outages('house')}; ${outages('operator')}`);
  }
  const plays = players.flatMap((player) => player.plays);
  const uncertain = plays.filter(({ roundID }) => roundID === undefined).length;
  console.log(`${plays.length} plays, ${uncertain} of them without a certain response`);
}

function longestGap(successes: readonly number[], { failedMs, untilMs }: Pick<Cycle, 'failedMs' | 'untilMs'>): number {
  const within = successes.filter((at) => at > failedMs && at < untilMs);
  return Math.max(...within.map((at, index) => at - (within[index - 1] ?? failedMs)));
}
