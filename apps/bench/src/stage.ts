import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startTemporaryPostgres } from '@roundhouse/dev-postgres';
import { type CleanUp, NO_LIMITS } from '@roundhouse/service';
import { loadCatalogue } from '../../server/dist/rounds/games/loadCatalogue.js';
import { type Database, openDatabase } from '../../server/dist/store/database/database.js';
import { migrate } from '../../server/dist/store/database/migrate.js';
import { countUnsettled } from '../../server/dist/store/rounds/walletTransactions.js';
import { sessionOf, writeBenchGame } from './benchGame.ts';
import { type Filling, fillDatabase } from './fillDatabase.ts';

/** The key encrypts the secrets of the operators that the bench makes. */
export const SECRETS_KEY = '5e'.repeat(32);
const TMPFS = 0x01021994;
const QUIET_POLL_MS = 20;
/** A busy database is also idle for a moment between two statements. */
const QUIET_POLLS = 4;
const LONGEST_QUIET_WAIT_MS = 5_000;
const LONGEST_SETTLING_MS = 60_000;

/** All files of a run are in `root`; `games` is what `serve --games` is given. */
export type Folders = { root: string; games: string };

/** Names a database in which the bench's game is published and players have sessions. */
export type StagedDatabase = { db: Database; url: string };

export type Stage = StagedDatabase & {
  postgresVersion: string;
  folders: Folders;
  /** The players have these. */
  sessions: readonly string[];
};

/** Starts a durable PostgreSQL for the bench alone. */
export async function setStage(cleanUp: CleanUp, players: number): Promise<Stage> {
  const folders = await makeFolders();
  const postgres = await startTemporaryPostgres({ durable: true });
  cleanUp.add(postgres.stop);
  if ((await statfs(os.tmpdir())).type === TMPFS) {
    console.error(
      'The temporary folder is in memory, where a durable commit costs nothing: set TMPDIR to a folder on a disk.',
    );
  }
  const database = await stageDatabase(cleanUp, { url: postgres.url, folders, players, pastRounds: 0 });
  const postgresVersion = await requireDurable(database.db);
  const sessions = Array.from({ length: players }, (_, index) => sessionOf(index + 1));
  return { ...database, postgresVersion, folders, sessions };
}

/** Migrates an empty database, publishes the game in it and fills it. */
export async function stageDatabase(
  cleanUp: CleanUp,
  { url, folders, ...filling }: { url: string; folders: Folders } & Filling,
): Promise<StagedDatabase> {
  await migrate({ url });
  const db = openDatabase({ url, connections: 4, limits: NO_LIMITS, secretsKey: SECRETS_KEY });
  cleanUp.add(() => db.$disconnect());
  const storeFolder = path.join(folders.root, 'books');
  const games = [path.join(folders.games, 'bench')];
  const loaded = await loadCatalogue({ db, folders: games, storeFolder, warn: () => {} });
  if (!loaded.ok) throw new Error(loaded.refused.flatMap(({ issues }) => issues).join('\n'));
  await loaded.catalogue.close();
  await fillDatabase(db, filling);
  return { db, url };
}

/** Creates another database in the same PostgreSQL. Returns its URL. */
export async function openSibling({ db, url }: StagedDatabase, name: string): Promise<string> {
  await db.$executeRawUnsafe(`CREATE DATABASE ${name}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function makeFolders(): Promise<Folders> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-'));
  // This is not a step of the clean-up: it must also run when the process ends without one.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  await chmod(root, 0o711);
  const games = path.join(root, 'games');
  await mkdir(path.join(games, 'bench'), { recursive: true });
  await writeBenchGame(path.join(games, 'bench'));
  return { root, games };
}

async function requireDurable(db: Database): Promise<string> {
  const [settings] = await db.$queryRaw<{ fsync: string; commit: string; version: string }[]>`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
      current_setting('server_version') AS version`;
  if (settings?.fsync !== 'on' || settings.commit !== 'on') throw new Error('the database is not durable');
  return settings.version;
}

/** Resolves when no client of PostgreSQL has had anything running at several polls. */
export async function untilQuiet(db: Database): Promise<void> {
  const startedMs = performance.now();
  const isEarly = () => performance.now() - startedMs < LONGEST_QUIET_WAIT_MS;
  for (let quiet = 0; quiet < QUIET_POLLS && isEarly(); await wait(QUIET_POLL_MS)) {
    const [active] = await db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;
    quiet = active?.count === 0n ? quiet + 1 : 0;
  }
}

/** Counts wallet transactions without a result. */
export async function unsettled(db: Database): Promise<number> {
  return (await countUnsettled(db)).reduce((sum, { count }) => sum + count, 0);
}

/** Resolves when every wallet transaction has its result, or after a minute. */
export async function untilSettled(db: Database): Promise<void> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < LONGEST_SETTLING_MS && (await unsettled(db)) > 0) await wait(QUIET_POLL_MS);
}
