import { execFile } from 'node:child_process';
import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { usableBinaries } from './binaries.ts';
import {
  type Cluster,
  DATABASE_NAME,
  DATABASE_USER,
  ensureCluster,
  forgetCluster,
  ownerOf,
  planCluster,
  rememberedCluster,
} from './cluster.ts';
import { copyCluster } from './copyCluster.ts';
import { startPostmaster, stopOrphan } from './postmaster.ts';
import { databaseUser } from './systemUser.ts';

/** Belongs to this process. It listens on 127.0.0.1 and a free port. */
export type EmbeddedPostgres = {
  /** It is postgresql://… of the database "roundhouse", as a superuser. */
  url: string;
  /** It is postgresql://… of the database "postgres", from which others are created and dropped. */
  adminUrl: string;
  port: number;
  folder: string;
  /** Sends a signal to all of its processes, as when its machine stops or dies. Tests use it. */
  signal(name: NodeJS.Signals): Promise<void>;
  /**
   * Rolls open transactions back, writes everything and waits for the end. Callers may repeat it.
   */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /**
   * The folder exists, and no other process uses it: see dataFolder.ts. It keeps the database
   * between starts.
   */
  dataFolder: string;
  /** Makes writes not durable, which is several times as fast. Tests use it. */
  fast?: boolean;
  log?: (line: string) => void;
};

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return start({ ...options, temporary: false });
}

/**
 * Starts an empty PostgreSQL in a temporary folder, for tests and measurements. The folder is
 * removed after stop() and also when this process is killed. `durable` makes a commit cost what it
 * costs in production.
 */
export async function startTemporaryPostgres({
  durable = false,
  settings = [],
  copyOf,
}: {
  durable?: boolean;
  /** These are lines of postgresql.conf, for example wal_keep_size=1GB. */
  settings?: readonly string[];
  /** It begins with the database of this data folder, which is not running. */
  copyOf?: string;
} = {}): Promise<EmbeddedPostgres> {
  const dataFolder = await temporaryFolder();
  if (copyOf !== undefined) await copyEmbeddedPostgres(copyOf, dataFolder);
  return start({ dataFolder, fast: !durable, temporary: true, settings });
}

/**
 * Starts a standby, which streams all that the primary writes, for tests. `SELECT pg_promote()`
 * makes it a primary.
 */
export async function startTemporaryStandby(
  primary: EmbeddedPostgres,
  { settings = [] }: { settings?: readonly string[] } = {},
): Promise<EmbeddedPostgres> {
  const dataFolder = await temporaryFolder();
  const user = await databaseUser();
  const cluster = await planCluster({ dataFolder, user, password: new URL(primary.adminUrl).password });
  await copyCluster(primary, cluster.folder);
  return start({ dataFolder, fast: true, temporary: true, settings });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-postgres-'));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Gives a new data folder a copy of another one's database, which is not running: it takes a tenth
 * of the time that making one takes.
 */
export async function copyEmbeddedPostgres(from: string, dataFolder: string): Promise<void> {
  const original = await rememberedCluster(from);
  if (original === undefined) throw new Error(`${from} has no database`);
  const { password } = original;
  const cluster = await planCluster({ dataFolder, user: await ownerOf(original), password });
  await promisify(execFile)('cp', ['-a', original.folder, cluster.folder]);
}

/** Stops the PostgreSQL that an earlier run left on this data folder, and removes its database. */
export async function removeEmbeddedPostgres(dataFolder: string): Promise<void> {
  const cluster = await rememberedCluster(dataFolder);
  if (cluster) await stopOrphan(cluster, () => {});
  await forgetCluster(dataFolder);
}

type StartOptions = EmbeddedPostgresOptions & { temporary: boolean; settings?: readonly string[] };

async function start(options: StartOptions): Promise<EmbeddedPostgres> {
  const { fast = false, log = () => {}, settings = [] } = options;
  const dataFolder = await realpath(options.dataFolder);
  const remembered = await rememberedCluster(dataFolder);
  const user = (remembered && (await ownerOf(remembered))) ?? (await databaseUser());
  const binaries = await usableBinaries(user);
  const cluster = remembered ?? (await planCluster({ dataFolder, user }));
  await ensureCluster({ cluster, binaries, user });
  await stopOrphan(cluster, log);
  const logFile = path.join(dataFolder, 'postgres.log');
  const temporaryFolder = options.temporary ? { temporaryFolder: dataFolder } : {};
  const postmaster = await startPostmaster({
    cluster,
    binaries,
    user,
    logFile,
    fast,
    settings,
    log,
    ...temporaryFolder,
  });
  return {
    url: urlOf({ cluster, port: postmaster.port, database: DATABASE_NAME }),
    adminUrl: urlOf({ cluster, port: postmaster.port, database: 'postgres' }),
    folder: cluster.folder,
    ...postmaster,
  };
}

function urlOf(options: { cluster: Cluster; port: number; database: string }): string {
  return `postgresql://${DATABASE_USER}:${options.cluster.password}@127.0.0.1:${options.port}/${options.database}`;
}
