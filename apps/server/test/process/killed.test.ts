import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
/** `TEST_SEED=… npx vitest run test/process/killed` kills after as many responses again. */
const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));

type Player = {
  token: string;
  sessionID: string;
  /** By the last response, or by the proof after a kill. */
  balance: number;
  plays: number;
  /** Of a play that was sent and got no response. */
  key: string;
  /** Of the last play that got a response, until its end-round gets one. */
  round: WireRound | undefined;
  isEnding: boolean;
};

let dataFolder: string;
let game: Awaited<ReturnType<typeof writeFixtureGame>>;
let dev: Dev;
let players: Player[];
/** The player of a play whose response was lost, and the round of it. */
let unheard: { player: Player; round: WireRound };
/** The player of a play that waited for its account. */
let waiting: Player;

beforeAll(async () => {
  dataFolder = await temporaryFolder('killed');
  game = await writeFixtureGame();
  dev = await startDev(dataFolder, [game.folder]);
});
afterAll(() => game.remove());

async function newPlayer(token: string): Promise<Player> {
  const sessionID = await liveSession(dev.url, { token });
  const { balance } = await call(dev.url, '/wallet/balance', { sessionID });
  return { token, sessionID, balance: balance.amount, plays: 0, key: token, round: undefined, isEnding: false };
}

const bet = ({ sessionID }: Player) => ({ sessionID, amount: AMOUNT, mode: 'BASE' });
const keyOf = ({ key }: Player) => ({ 'Idempotency-Key': key });

/** Undefined when the server is gone before it has responded. */
async function attempt(pathname: string, body: object, headers?: Record<string, string>): Promise<RgsBody | undefined> {
  const response = await post(dev.url, pathname, body, headers).catch(() => undefined);
  if (response !== undefined) expect(response).toMatchObject({ status: 200 });
  return response?.body;
}

async function playUntilKilled(player: Player, onResponse: () => void): Promise<void> {
  for (;;) {
    player.plays += 1;
    player.key = `${player.token}-${player.plays}`;
    const played = await attempt('/wallet/play', bet(player), keyOf(player));
    if (played === undefined) return;
    Object.assign(player, { round: played.round, balance: played.balance.amount });
    onResponse();
    player.isEnding = true;
    const ended = await attempt('/wallet/end-round', { sessionID: player.sessionID });
    if (ended === undefined) return;
    Object.assign(player, { round: undefined, balance: ended.balance.amount, isEnding: false });
    onResponse();
  }
}

/**
 * What had a response holds, what had none has happened once or not at all; then the round ends.
 */
async function settle(player: Player): Promise<void> {
  const { sessionID, token } = player;
  const elsewhere = await call(dev.url, '/session/start', { token });
  const resumed = await call(dev.url, '/wallet/authenticate', { sessionID: elsewhere.sessionID });
  expect(await call(dev.url, '/wallet/authenticate', { sessionID })).toMatchObject({
    balance: resumed.balance,
    round: resumed.round,
  });
  const round = player.round ?? (await repeatPlay(player, resumed));
  if (player.round !== undefined) {
    const { active } = resumed.round;
    if (!player.isEnding) expect(active).toBe(true);
    expect(resumed.round).toEqual({ ...round, active });
    expect(resumed.balance.amount).toBe(active ? player.balance : player.balance + round.payout);
  }
  const ended = await call(dev.url, '/wallet/end-round', { sessionID });
  expect(ended.balance.amount).toBe(player.balance + round.payout);
}

async function repeatPlay(player: Player, resumed: RgsBody): Promise<WireRound> {
  const wasOpened = resumed.balance.amount !== player.balance;
  if (wasOpened)
    expect(resumed).toMatchObject({ balance: { amount: player.balance - AMOUNT }, round: { active: true } });
  const repeated = await call(dev.url, '/wallet/play', bet(player), keyOf(player));
  expect(repeated.balance.amount).toBe(player.balance - AMOUNT);
  if (wasOpened) expect(repeated.round).toEqual(resumed.round);
  expect(await call(dev.url, '/wallet/play', bet(player), keyOf(player))).toEqual(repeated);
  player.balance = repeated.balance.amount;
  return repeated.round;
}

async function expectBooksBalance(): Promise<void> {
  expect(await succeed(['books-balance', '--data', dataFolder])).toMatch(/^The books balance: \d+ accounts, [1-9]/);
}

it(`starts again after it was killed in the middle of a loop of plays (seed ${seed})`, async () => {
  // Killed, it leaves its PostgreSQL behind, which ends by itself soon.
  const postgres = await postgresPid(dataFolder);

  players = await Promise.all(Array.from({ length: PLAYERS }, (_, index) => newPlayer(`player-${index}`)));
  const player = await newPlayer('unheard');
  unheard = { player, round: (await call(dev.url, '/wallet/play', bet(player), keyOf(player))).round };
  waiting = await newPlayer('waiting');
  let responsesLeft = 20 + (seed % 180);
  const onResponse = () => {
    responsesLeft -= 1;
  };
  const playing = Promise.all(players.map((each) => playUntilKilled(each, onResponse)));
  await expect.poll(() => responsesLeft, { interval: 1 }).toBeLessThanOrEqual(0);
  const lock = await lockAccount(await databaseOf(dataFolder), waiting.token);
  const played = attempt('/wallet/play', bet(waiting), keyOf(waiting));
  await lock.untilWaiting(1);
  dev.kill('SIGKILL');
  await playing;
  expect((await dev.exited).signal).toBe('SIGKILL');
  expect(await played).toBeUndefined();
  dev = await startDev(dataFolder, [game.folder]);
  expect(await postgresPid(dataFolder)).not.toBe(postgres);
  await lock.release();
});

it('its players go on where they were', async () => {
  await Promise.all(players.map(settle));
  await expectBooksBalance();
});

it('a play whose response was lost is the same round when it is repeated', async () => {
  const { player, round } = unheard;
  const resumed = await call(dev.url, '/wallet/authenticate', { sessionID: player.sessionID });
  expect(resumed.round).toEqual(round);
  expect((await repeatPlay(player, resumed)).betID).toBe(round.betID);
});

it('a play that waited for its account debits at most once', async () => {
  await settle(waiting);
  await expectBooksBalance();
});

it('killed while it starts, again and again, it comes up in the end', async () => {
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
  dev = await startDev(dataFolder, [game.folder]);
  await expectBooksBalance();
  await stop(dev);
});
