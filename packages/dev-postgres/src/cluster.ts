import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '@roundhouse/service';
import { type Binaries, SHARED_FOLDER } from './binaries.ts';
import { canEnter, isRoot, type SystemUser } from './systemUser.ts';

const run = promisify(execFile);

export const DATABASE_NAME = 'roundhouse';
export const DATABASE_USER = 'roundhouse';

const SHARED_CLUSTERS = path.join(SHARED_FOLDER, 'clusters');

/** Holds the files of one database server (a "cluster" in PostgreSQL's terms). */
export type Cluster = {
  folder: string;
  password: string;
};

/** The caller's environment stays out: a PGPORT or PGDATA in it must not change our database. */
export const POSTGRES_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** Returns the cluster that the data folder has recorded, if there is one. */
export async function rememberedCluster(dataFolder: string): Promise<Cluster | undefined> {
  const text = await readFile(recordPath(dataFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'EACCES')
      throw new StartError(`${dataFolder} belongs to another user: start as that user, or with another --data folder`);
    throw error;
  });
  if (text === undefined) return undefined;
  const { folder, password } = JSON.parse(text) as Cluster;
  return { folder: path.resolve(dataFolder, folder), password };
}

/**
 * Chooses the folder and the password of a new cluster, and records both before it makes anything.
 */
export async function planCluster(options: {
  dataFolder: string;
  user: SystemUser | undefined;
  /** The password of the cluster that this one is a copy of. */
  password?: string;
}): Promise<Cluster> {
  const { dataFolder, user } = options;
  const inside = user === undefined || (await canEnter(dataFolder, user));
  // The path is relative when inside, so that a data folder can be moved.
  const folder = inside ? 'postgres' : path.join(SHARED_CLUSTERS, await nameFor(dataFolder));
  const { password = randomBytes(24).toString('hex') } = options;
  const unfinished = `${recordPath(dataFolder)}.new`;
  await writeFile(unfinished, `${JSON.stringify({ folder, password })}\n`, { mode: 0o600 });
  await rename(unfinished, recordPath(dataFolder));
  return { folder: path.resolve(dataFolder, folder), password };
}

/**
 * Root runs an existing cluster as its owner: PostgreSQL requires it, and the owner can use the
 * cluster afterwards.
 */
export async function ownerOf(cluster: Cluster): Promise<SystemUser | undefined> {
  const stats = await stat(cluster.folder).catch(() => undefined);
  return isRoot() && stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

export type ClusterOptions = {
  cluster: Cluster;
  binaries: Binaries;
  user: SystemUser | undefined;
};

/**
 * Makes the cluster when it is missing. The last step is a rename, so an interrupted start leaves
 * no half-made cluster.
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { cluster, binaries } = options;
  const version = await readFile(path.join(cluster.folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined) {
    if (version.trim() === binaries.majorVersion) return;
    throw new StartError(
      `The database in ${cluster.folder} was made by PostgreSQL ${version.trim()}, this is ${binaries.majorVersion}: start with --fresh, or with another --data folder`,
    );
  }
  const unfinished = `${cluster.folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  if (path.dirname(unfinished) === SHARED_CLUSTERS) await makeReachable([SHARED_FOLDER, SHARED_CLUSTERS]);
  await mkdir(unfinished, { mode: 0o700 });
  if (options.user) await chown(unfinished, options.user.uid, options.user.gid);
  await initialise({ ...options, cluster: { ...cluster, folder: unfinished } });
  await rename(unfinished, cluster.folder);
}

async function makeReachable(folders: string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
    // A strict umask would reduce mkdir's mode, so chmod sets it.
    await chmod(folder, 0o755);
  }
}

async function initialise({ cluster, binaries, user }: ClusterOptions): Promise<void> {
  const passwordFile = `${cluster.folder}.password`;
  const asUser = { ...user, cwd: path.parse(cluster.folder).root, env: POSTGRES_ENVIRONMENT };
  await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  try {
    if (user) await chown(passwordFile, user.uid, user.gid);
    // C sorts texts the same on every machine, whatever its locales.
    const settings = ['--locale=C', '--encoding=UTF8', '--auth=scram-sha-256', '--no-instructions', '--no-sync'];
    await run(
      binaries.initdb,
      ['-D', cluster.folder, '-U', DATABASE_USER, `--pwfile=${passwordFile}`, ...settings],
      asUser,
    );
    await createDatabase({ binaries, folder: cluster.folder, asUser });
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL could not be set up: ${reasonOf(error as Error & { stderr?: string })}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

// Uses single-user mode, before the cluster gets its name: a cluster that exists always has its
// database. Like --no-sync above, -F does not wait for the disk (decision 013).
async function createDatabase(options: { binaries: Binaries; folder: string; asUser: object }): Promise<void> {
  const pending = run(options.binaries.postgres, ['--single', '-F', '-D', options.folder, 'postgres'], options.asUser);
  pending.child.stdin?.end(`CREATE DATABASE ${DATABASE_NAME} STRATEGY file_copy;\n`);
  const { stdout, stderr } = await pending;
  if (/ERROR|FATAL|PANIC/.test(stdout + stderr)) throw new Error(stderr.trim());
}

function reasonOf(error: Error & { stderr?: string; code?: unknown }): string {
  // A program that exists and is "not found" lacks its loader: Alpine and other systems without
  // glibc.
  if (error.code === 'ENOENT')
    return 'its programs do not run on this system (they need glibc); set DATABASE_URL and use "roundhouse serve"';
  return (error.stderr || error.message).trim().split('\n').slice(-3).join(' ');
}

function recordPath(dataFolder: string): string {
  return path.join(dataFolder, 'postgres.json');
}

async function nameFor(dataFolder: string): Promise<string> {
  return createHash('sha256')
    .update(await realpath(dataFolder))
    .digest('hex')
    .slice(0, 16);
}

/** Removes the cluster and its record. The cluster must not be running. */
export async function forgetCluster(dataFolder: string): Promise<void> {
  const cluster = await rememberedCluster(dataFolder);
  if (!cluster) return;
  await rm(cluster.folder, { recursive: true, force: true });
  await rm(`${cluster.folder}.new`, { recursive: true, force: true });
  await rm(recordPath(dataFolder), { force: true });
}
