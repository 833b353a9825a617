import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { call, liveSession, post, type RgsBody, type WireRound } from '../support/rgsCalls.ts';
import {
  type Dev,
  databaseOf,
  postgresPid,
  spawnRoundhouse,
  startDev,
  stop,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';

const AMOUNT = 1_000_000;
const PLAYERS = 6;
/** `TEST_SEED=… npx vitest run test/process/killed` kills after the same number of answers again. */
const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));

let dataFolder: string;
let game: Awaited<ReturnType<typeof writeFixtureGame>>;
let dev: Dev;
/** The process of its database, asked for while it runs: it ends by itself soon after `dev` is killed. */
let postgres: number;

beforeAll(async () => {
  dataFolder = await temporaryFolder('killed');
  game = await writeFixtureGame();
  await start();
});

async function start(): Promise<void> {
  dev = await startDev(dataFolder, [game.folder]);
  postgres = await postgresPid(dataFolder);
}

afterAll(() => game.remove());

type Player = {
  token: string;
  sessionID: string;
  /** What the last answer said, or the proof after a kill. */
  balance: number;
  plays: number;
  /** Of a play that was sent and not answered. */
  key: string | undefined;
  /** Of the last play that was answered and whose end-round was not. */
  round: WireRound | undefined;
  isEnding: boolean;
};

async function newPlayer(token: string): Promise<Player> {
  const sessionID = await liveSession(dev.url, { token });
  const { balance } = await call(dev.url, '/wallet/balance', { sessionID });
  return { token, sessionID, balance: balance.amount, plays: 0, key: undefined, round: undefined, isEnding: false };
}

/** Undefined when the server is gone before it has answered. */
async function attempt(pathname: string, body: object, headers?: Record<string, string>): Promise<RgsBody | undefined> {
  const answer = await post(dev.url, pathname, body, headers).catch(() => undefined);
  if (answer !== undefined) expect(answer).toMatchObject({ status: 200 });
  return answer?.body;
}

async function playUntilKilled(player: Player, onAnswer: () => void): Promise<void> {
  for (;;) {
    const answer = player.round === undefined ? await openNext(player) : await endRound(player);
    if (answer === undefined) return;
    player.balance = answer.balance.amount;
    onAnswer();
  }
}

async function openNext(player: Player): Promise<RgsBody | undefined> {
  player.plays += 1;
  player.key = `${player.token}-${player.plays}`;
  const answer = await attempt('/wallet/play', bet(player), { 'Idempotency-Key': player.key });
  if (answer === undefined) return undefined;
  player.key = undefined;
  player.round = answer.round;
  return answer;
}

async function endRound(player: Player): Promise<RgsBody | undefined> {
  player.isEnding = true;
  const answer = await attempt('/wallet/end-round', { sessionID: player.sessionID });
  if (answer === undefined) return undefined;
  player.isEnding = false;
  player.round = undefined;
  return answer;
}

function bet({ sessionID }: Player): object {
  return { sessionID, amount: AMOUNT, mode: 'BASE' };
}

/** After a kill: what had been answered holds, what had not happened once or not at all; then the round is brought to its end. */
async function settle(player: Player): Promise<void> {
  const { sessionID, token } = player;
  const elsewhere = await call(dev.url, '/session/start', { token });
  const resumed = await call(dev.url, '/wallet/authenticate', { sessionID: elsewhere.sessionID });
  expect(await call(dev.url, '/wallet/authenticate', { sessionID })).toMatchObject({
    balance: resumed.balance,
    round: resumed.round,
  });
  if (player.round !== undefined) expectKept(player, player.round, resumed);
  else player.round = await repeatPlay(player, resumed);
  const { payout } = player.round;
  const paid = player.balance + payout;
  expect((await call(dev.url, '/wallet/end-round', { sessionID })).balance.amount).toBe(paid);
  Object.assign(player, { balance: paid, key: undefined, round: undefined, isEnding: false });
}

function expectKept(player: Player, round: WireRound, resumed: RgsBody): void {
  const { active } = resumed.round;
  if (!player.isEnding) expect(active).toBe(true);
  expect(resumed.round).toEqual({ ...round, active });
  expect(resumed.balance.amount).toBe(active ? player.balance : player.balance + round.payout);
}

async function repeatPlay(player: Player, resumed: RgsBody): Promise<WireRound> {
  const key = { 'Idempotency-Key': player.key ?? '' };
  const wasOpened = resumed.balance.amount !== player.balance;
  if (wasOpened)
    expect(resumed).toMatchObject({ balance: { amount: player.balance - AMOUNT }, round: { active: true } });
  const repeated = await call(dev.url, '/wallet/play', bet(player), key);
  expect(repeated.balance.amount).toBe(player.balance - AMOUNT);
  if (wasOpened) expect(repeated.round).toEqual(resumed.round);
  expect(await call(dev.url, '/wallet/play', bet(player), key)).toEqual(repeated);
  player.balance = repeated.balance.amount;
  return repeated.round;
}

async function killAndRestart(): Promise<void> {
  const killed = postgres;
  dev.kill('SIGKILL');
  expect((await dev.exited).signal).toBe('SIGKILL');
  await start();
  expect(postgres).not.toBe(killed);
}

async function expectBooksBalance(): Promise<void> {
  expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: \d+ accounts, [1-9]/);
}

test(`killed in the middle of a loop of plays, it goes on where it was (seed ${seed})`, async () => {
  const players = await Promise.all(Array.from({ length: PLAYERS }, (_, index) => newPlayer(`player-${index}`)));
  let answersLeft = 20 + (seed % 180);
  const onAnswer = () => {
    answersLeft -= 1;
    if (answersLeft === 0) dev.kill('SIGKILL');
  };
  await Promise.all(players.map((player) => playUntilKilled(player, onAnswer)));
  await killAndRestart();
  await Promise.all(players.map(settle));
  await expectBooksBalance();
});

test('a play whose answer was lost is the same round when it is repeated, one that was waiting debits at most once', async () => {
  const [unheard, waiting] = [await newPlayer('answer-lost'), await newPlayer('waiting')];
  unheard.key = 'lost';
  waiting.key = 'waiting';
  // Answered, but nobody reads it: for the player that is the same as an answer that was on its way.
  const lost = await call(dev.url, '/wallet/play', bet(unheard), { 'Idempotency-Key': unheard.key });
  const lock = await lockAccount(await databaseOf(dataFolder), waiting.token);
  const played = attempt('/wallet/play', bet(waiting), { 'Idempotency-Key': waiting.key });
  await lock.untilWaiting(1);
  await killAndRestart();
  expect(await played).toBeUndefined();
  await lock.release();

  const resumed = await call(dev.url, '/wallet/authenticate', { sessionID: unheard.sessionID });
  expect(resumed.round).toEqual(lost.round);
  expect((await repeatPlay(unheard, resumed)).betID).toBe(lost.round.betID);
  await settle(waiting);
  await expectBooksBalance();
});

test('killed while it starts, again and again, it comes up in the end', async () => {
  dev.kill('SIGKILL');
  await dev.exited;
  for (let kill = 0; kill < 2; kill += 1) {
    const starting = spawnRoundhouse(['dev', game.folder, '--port', '0', '--data', dataFolder]);
    // With a new PostgreSQL or just before it.
    await expect
      .poll(() => readFile(path.join(dataFolder, 'running.json'), 'utf8').catch(() => ''))
      .toContain(`"pid":${starting.pid},`);
    starting.kill('SIGKILL');
    await starting.exited;
  }
  await start();
  await expectBooksBalance();
  await stop(dev);
});
