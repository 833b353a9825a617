import path from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import { createTestDatabase } from '../../support/database.ts';
import { writeFixtureFiles, writeFixtureGame } from '../../support/fixtureGame.ts';
import { clientOf, expectBooksBalance, OPERATOR, type TestResponse, UNIT } from '../../support/testServer.ts';
import { settled } from '../chaos/agreement.ts';
import { openStage } from '../chaos/simulate.ts';

// `npm run proof -- race --times 1000` sets it.
const TIMES = Number(process.env.RACE_TIMES ?? 10);
const SESSIONS = 20;
/** A player has one open round in each game: only the grant decides between the games. */
const GAMES = ['fixture', 'second', 'third', 'fourth'];
const PLAYER = { playerID: 'racer', currency: 'USD' };
/** No honest debit takes as long on a busy machine, so none is void. */
const WALLET_TIMEOUT_MS = 20_000;

type Stage = Awaited<ReturnType<typeof openStage>>;

it(`${TIMES} times ${SESSIONS} sessions of a player race for the last free round on two nodes, and one gets it`, {
  timeout: 300_000 + TIMES * 3_000,
}, async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const games = path.dirname(game.folder);
  for (const id of GAMES.slice(1)) await writeFixtureFiles(path.join(games, id), { id });
  const db = openDatabase({ url: database.url });
  let stage: Stage | undefined;
  try {
    const options = { databaseUrl: database.url, games, data: game.storeFolder, walletTimeoutMs: WALLET_TIMEOUT_MS };
    stage = await openStage(options);
    const racers = [await racersOf(stage, 'operator'), await racersOf(stage, 'house')];
    const counts: Record<string, number> = {};
    const startedMs = performance.now();
    for (let time = 0; time < TIMES; time += 1) await race(racers[time % 2] as Racers, { time, counts });
    const seconds = (performance.now() - startedMs) / 1000;
    await settled(db);
    await expectBooksBalance(db);
    expect(await db.round.count({ where: { grantId: { not: null } } })).toBe(TIMES);
    console.log(`${TIMES} races in ${seconds.toFixed(0)} s: ${JSON.stringify(counts)}`);
  } finally {
    await db.$disconnect();
    // A node writes into the folder until it ends.
    if (stage) await Promise.all([stage.operator, ...stage.nodes].map((each) => each.kill()));
    await game.remove();
  }
});

type Racers = Awaited<ReturnType<typeof racersOf>>;

/** Opens the sessions of a player whose money is at the operator or at the house. */
async function racersOf({ nodes, caller, enter, enterHouse }: Stage, wallet: 'operator' | 'house') {
  const clients = nodes.map(({ url }) => clientOf(url));
  const isHouse = wallet === 'house';
  if (isHouse) await enterHouse([PLAYER.playerID]);
  const api = operatorClient(nodes[0]?.url ?? '', { ...caller, ...(isHouse && { code: OPERATOR }) });
  const sessionIDs: string[] = [];
  for (let place = 0; place < SESSIONS; place += 1) {
    const gameID = GAMES[place % GAMES.length] as string;
    const sessionID = isHouse ? `racing-session-${place}` : await enter(PLAYER.playerID, gameID);
    if (isHouse) expect((await api.launch(launchBody({ ...PLAYER, sessionID, gameID }))).status).toBe(200);
    expect((await clients[place % 2]?.authenticate(sessionID))?.status).toBe(200);
    sessionIDs.push(sessionID);
  }
  return { api, clients, sessionIDs };
}

/** Each session sends its play to both nodes, with one key. */
async function race(
  { api, clients, sessionIDs }: Racers,
  { time, counts }: { time: number; counts: Record<string, number> },
): Promise<void> {
  const grantID = `race-${time}`;
  const [automatic, paidAtEnd] = [time % 4 > 1, time % 8 > 3];
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const terms = { gameIDs: GAMES, mode: 'BASE', bets: { USD: UNIT }, rounds: 1, endsAt, automatic, paidAtEnd };
  expect((await api.giveGrants({ terms, grants: [{ grantID, ...PLAYER }] })).status).toBe(200);

  // An automatic grant is taken by plays that name it, and by plays that do not.
  const plays = sessionIDs.map((sessionID, place) => ({
    sessionID,
    bet: automatic && place % 3 > 0 ? {} : { grantID },
  }));
  const sent = plays.flatMap((play) => clients.map((client) => ({ ...play, client })));
  const send = ({ client, sessionID, bet }: (typeof sent)[number]) => client.play(sessionID, bet, grantID);
  const responses = await Promise.all(sent.map(send));
  const isFree = ({ body }: TestResponse) => body.round?.grantID === grantID;
  for (const [index, response] of responses.entries()) {
    const isNamed = 'grantID' in (sent[index]?.bet ?? {});
    if (!isFree(response) && response.status === 200) expect(isNamed, response.text).toBe(false);
    const kind = response.status === 200 ? (isFree(response) ? 'free' : 'paid') : response.body.message;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const opened = new Set(responses.filter(isFree).map(({ body }) => body.round.betID));
  expect(opened.size, grantID).toBe(1);
  const winner = plays[Math.floor(responses.findIndex(isFree) / clients.length)] as (typeof plays)[number];
  for (const client of clients) expect(opened).toContain((await send({ ...winner, client })).body.round.betID);

  // The first sessions have a game each, and no round in it when nobody has played.
  await Promise.all(sessionIDs.slice(0, GAMES.length).map((sessionID) => clients[0]?.endRound(sessionID)));
  const ended = { given: 1, used: 1, left: 0, state: 'finished', endedAt: expect.any(String) };
  expect((await api.grant(grantID)).body).toMatchObject(ended);
}
