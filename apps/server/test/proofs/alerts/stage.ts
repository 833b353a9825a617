import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FaultPlan } from '@roundhouse/contract';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import { installServerAlone } from '../../lab/install/writeInstallation.ts';
import { createTestDatabase } from '../../support/database.ts';
import { SAMPLE_GAME, spawnRoundhouse, temporaryFolder } from '../../support/roundhouse.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { api, openStage } from '../chaos/simulate.ts';
import { createLoad, type Load } from './load.ts';

const GAME = { gameID: 'sample-lines', gameVersion: '1.1.0' };
/** The smallest bet of the game: no player loses all in an hour. */
const AMOUNT = 100_000;
const ENTERED_AT_ONCE = 16;
/** Debian's package libfaketime has it there, below the name of the architecture. */
const FAKETIME = 'faketime/libfaketimeMT.so.1';
const LIBRARIES = '/usr/lib';

/** Two nodes and the reference operator with players, on a database that a fault may befall. */
export type Stage = {
  db: Database;
  /** The second node is the one that is killed, and whose clock is off. */
  nodes: readonly { url: string; kill(): Promise<void>; restart(): Promise<void> }[];
  load: Load;
  setWalletFaults(plan: FaultPlan): Promise<unknown>;
  /** Both nodes have these. */
  folders: { games: string; data: string };
  /** Sets the clock of the second node, in seconds from the right time. */
  setClock(offsetSeconds: number): Promise<void>;
  close(): Promise<void>;
};

type StageOptions = {
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  seed: number;
  /** There are as many of the house and of the operator. */
  players: number;
  /** The nodes compare their files with a manifest. */
  hasManifest: boolean;
  walletTimeoutMs: number | undefined;
};

export async function openAlertStage({ databaseUrl, seed, players, ...options }: StageOptions): Promise<Stage> {
  await migrate({ url: databaseUrl });
  const home = await temporaryFolder('alerts');
  const [games, data] = ['games', 'data'].map((name) => path.join(home, name)) as [string, string];
  await mkdir(games);
  await cp(SAMPLE_GAME, path.join(games, GAME.gameID), { recursive: true });
  const clockFile = path.join(home, 'clock');
  await writeFile(clockFile, '+0');
  const env = { ...options.env };
  const command = options.hasManifest ? await installServerAlone() : undefined;
  if (command !== undefined) {
    env.ROUNDHOUSE_MANIFEST = path.join(home, 'manifest.json');
    await spawnRoundhouse(['verify-install', '--write', env.ROUNDHOUSE_MANIFEST, '--games', games], { command }).exited;
  }
  const clock = await clockEnv(clockFile);
  // A failure of our database is not one of the operator's.
  const { url: operatorDatabaseUrl } = await createTestDatabase();
  const nodes = { databaseUrl, games, data, env, command, envOfSecond: clock };
  const { walletTimeoutMs } = options;
  const stage = await openStage({ ...nodes, operatorDatabaseUrl, ...(walletTimeoutMs && { walletTimeoutMs }) });
  const { operator } = stage;
  const db = openDatabase({ url: databaseUrl, connections: 2 });
  const named = (wallet: string) => Array.from({ length: players }, (_, place) => `${wallet}-${place}`);
  const ofHouse = await stage.enterHouse(named('house'), GAME);
  const ofOperator: string[] = [];
  for (let names = named('operator'); names.length > 0; ) {
    const some = names.splice(0, ENTERED_AT_ONCE);
    ofOperator.push(...(await Promise.all(some.map((name) => stage.enter(name, GAME.gameID)))));
  }
  // Players of both wallets take turns, and each second of a kind has the other node as its home.
  const sessionIDs = ofHouse.flatMap((session, place) =>
    place % 2 === 0 ? [session, ofOperator[place] as string] : [ofOperator[place] as string, session],
  );
  const urls = stage.nodes.map(({ url }) => url);
  const load = createLoad({ sessionIDs, nodes: urls, amount: AMOUNT, random: createRandom(seed, 0) });
  return {
    db,
    nodes: stage.nodes,
    load,
    setWalletFaults: (plan) => api(operator, 'PUT', '/api/bench/wallet-faults', plan),
    folders: { games, data },
    async setClock(offsetSeconds) {
      if (clock === undefined) throw new Error('there is no libfaketime');
      await writeFile(clockFile, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`);
    },
    async close() {
      await load.end();
      await Promise.all([operator, ...stage.nodes].map((each) => each.kill()));
      await db.$disconnect();
    },
  };
}

/**
 * Returns settings with which a process reads its clock's offset from the file, each second, or
 * undefined without the library.
 */
async function clockEnv(file: string): Promise<NodeJS.ProcessEnv | undefined> {
  const library = await findFaketime();
  if (library === undefined) return undefined;
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    // Timers go on as they are.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

/**
 * Returns the library that changes the clock of a process, when Debian's libfaketime is installed.
 */
export async function findFaketime(): Promise<string | undefined> {
  const architectures = await readdir(LIBRARIES).catch(() => []);
  return architectures.map((name) => path.join(LIBRARIES, name, FAKETIME)).find((file) => existsSync(file));
}
