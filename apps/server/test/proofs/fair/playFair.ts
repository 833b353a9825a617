import { cp } from 'node:fs/promises';
import path from 'node:path';
import { type Caller, operatorClient } from '../../operators/api/operatorClient.ts';
import { writeFixtureFiles } from '../../support/fixtureGame.ts';
import { SAMPLE_GAME, temporaryFolder } from '../../support/roundhouse.ts';
import { OPERATOR } from '../../support/testServer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { type ChaosProcess, startNode } from '../chaos/processes.ts';
import { api, openStage } from '../chaos/simulate.ts';
import { createFairPlayer, type FairPlayer, type Game } from './fairPlayer.ts';
import { drawFairly } from './fairShare.ts';

/** The two games have tables of 4 and of 6,000 rows. An account plays both under its one seed. */
const GAMES = [
  { gameID: 'fixture', gameVersion: '1.0.0', modes: ['BASE', 'AUTO', 'AUTO', 'ANTE'] },
  { gameID: 'sample-lines', gameVersion: '1.1.0', modes: ['BASE'] },
] as const;
/** The share of the operator's debits that fail: their rounds are void, and keep their nonces. */
const FAILING_SHARE = 0.01;
const ONE_DAY_SECONDS = 86_400;

export type FairRun = {
  players: readonly FairPlayer[];
  nodes: readonly ChaosProcess[];
  operator: ChaosProcess;
  seconds: number;
};

/** Returns a folder with both games, and one for the data of the nodes. */
async function writeGames(): Promise<{ games: string; data: string }> {
  const home = await temporaryFolder('fair');
  const games = path.join(home, 'games');
  await writeFixtureFiles(path.join(games, 'fixture'));
  await cp(SAMPLE_GAME, path.join(games, 'sample-lines'), { recursive: true });
  return { games, data: path.join(home, 'data') };
}

/**
 * Starts nodes on one database, and players who play `rounds` rounds in all. The first player alone
 * plays a fifth of them under one server seed. Returns when all have ended their last round.
 */
export async function playFair(options: {
  databaseUrl: string;
  nodes: number;
  rounds: number;
  seed: number;
  players: { house: number; operator: number };
}): Promise<FairRun> {
  const { databaseUrl, rounds, seed } = options;
  const folders = await writeGames();
  const stage = await openStage({ databaseUrl, ...folders, walletTimeoutMs: 30_000 });
  const nodes = [...stage.nodes];
  while (nodes.length < options.nodes) nodes.push(await startNode({ databaseUrl, ...folders }));
  const named = (wallet: 'house' | 'operator') =>
    Array.from({ length: options.players[wallet] }, (_, place) => `${wallet}-${place}`);
  await stage.enterHouse([]);
  await drawFairly(databaseUrl, stage.nodes[0] as ChaosProcess);

  const games = new Map<string, Game[]>();
  for (const { gameID, gameVersion, modes } of GAMES) {
    const house = named('house');
    const sessions = await stage.enterHouse(house, { gameID, gameVersion });
    const entered = [
      ...house.map((playerID, place) => [playerID, sessions[place] as string] as const),
      ...(await Promise.all(
        named('operator').map(async (playerID) => [playerID, await stage.enter(playerID, gameID)] as const),
      )),
    ];
    for (const [playerID, sessionID] of entered)
      games.set(playerID, [...(games.get(playerID) ?? []), { gameID, sessionID, modes }]);
  }
  const voidFor = (caller: Caller) => async (betID: number) => {
    const { status } = await operatorClient((nodes[0] as ChaosProcess).url, caller).voidRound(betID);
    if (status !== 200) throw new Error(`round ${betID} was not made void: ${status}`);
  };
  const players = [...games].map(([playerID, ofPlayer], place) =>
    createFairPlayer({
      ...{ playerID, games: ofPlayer, nodes: nodes.map(({ url }) => url), random: createRandom(seed, place) },
      rotates: place > 0,
      voidRound: voidFor(playerID.startsWith('house') ? { ...stage.caller, code: OPERATOR } : stage.caller),
    }),
  );
  await Promise.all(players.map((player) => player.begin()));
  const faults = [{ kind: 'error', share: FAILING_SHARE, seconds: ONE_DAY_SECONDS }];
  await api(stage.operator, 'PUT', '/api/bench/wallet-faults', { seed, faults });

  const startedMs = performance.now();
  const [longest, ...others] = players as [FairPlayer, ...FairPlayer[]];
  const quota = Math.ceil(rounds / 5);
  const playedByOthers = () => others.reduce((sum, { seen }) => sum + seen.size, 0);
  await Promise.all([
    (async () => {
      while (longest.seen.size < quota) await longest.act();
    })(),
    ...others.map(async (player) => {
      while (playedByOthers() < rounds - quota) await player.act();
    }),
  ]);
  const seconds = (performance.now() - startedMs) / 1000;
  await api(stage.operator, 'PUT', '/api/bench/wallet-faults', { faults: [] });
  await Promise.all(players.map((player) => player.comeToRest()));
  return { players, nodes, operator: stage.operator, seconds };
}
