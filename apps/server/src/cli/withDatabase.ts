import os from 'node:os';
import { NO_LIMITS, StartError } from '@roundhouse/service';
import { type Database, openDatabase } from '../ledger/database.ts';
import { pendingMigrations } from '../ledger/migrate.ts';
import { findReplication } from '../ledger/queries/databaseHome.ts';
import { runningServer } from '../local/dataFolder.ts';

export type DatabaseChoice = { database?: string; data: string; actor?: string };

/** Runs a command on the given database, or on that of the server that runs on the data folder. */
export async function withDatabase<Value>(
  choice: DatabaseChoice,
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  const url = await databaseUrl(choice);
  await requireMigrated(url);
  const secretsKey = await secretsKeyFor(url, choice);
  const actor = personActor(choice.actor);
  const db = openDatabase({
    url,
    connections: 2,
    limits: NO_LIMITS,
    actor,
    ...(secretsKey !== undefined && { secretsKey }),
  });
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** The person who runs a command. */
function personActor(name = userName()): string {
  return `person:${name}`;
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

export async function databaseUrl({ database, data }: DatabaseChoice): Promise<string> {
  if (database !== undefined) return database;
  const running = await runningServer(data);
  if (running?.databaseUrl !== undefined) return running.databaseUrl;
  throw new StartError(
    `No server runs on ${data}. Start \`roundhouse dev\`, or name a database with --database or DATABASE_URL.`,
  );
}

/**
 * Keys of operators' secrets in the database, 64 hexadecimal digits each, with commas: the first
 * encrypts, each decrypts. There is no option for it: every user of a machine can read the command
 * lines of its processes.
 */
export function secretsKeyOfEnvironment(): string | undefined {
  return process.env.ROUNDHOUSE_SECRETS_KEY;
}

/** Of a command that this one starts on the same database. */
export function environmentOf({ database, data }: { database: string | undefined; data: string }): NodeJS.ProcessEnv {
  return { ...process.env, ROUNDHOUSE_DATA: data, ...(database !== undefined && { DATABASE_URL: database }) };
}

/**
 * The key of the server that runs on the data folder, when it uses this database; else that of the
 * environment.
 */
async function secretsKeyFor(url: string, { data }: DatabaseChoice): Promise<string | undefined> {
  const running = await runningServer(data);
  return (running?.databaseUrl === url ? running.secretsKey : undefined) ?? secretsKeyOfEnvironment();
}

/**
 * Uses the driver itself: its errors say whether the address, the password or the name is wrong;
 * see explain.ts.
 */
export async function requireMigrated(url: string): Promise<void> {
  const [first, ...more] = await pendingMigrations(url);
  if (first === undefined) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  throw new StartError(`The database lacks ${first}${others}. Run \`roundhouse migrate\` first.`);
}

/** A commit of the primary alone is lost with it, although a player was told of it. */
export async function requireSynchronousStandby(db: Database): Promise<void> {
  const { names, commit, maySee, standbys } = await findReplication(db);
  const refuse = (why: string) => {
    throw new StartError(`--require-sync: ${why}`);
  };
  if (names === '') refuse('the database has no synchronous standby, set synchronous_standby_names.');
  if (commit === 'off' || commit === 'local') refuse(`synchronous_commit is ${commit}, it must be on.`);
  if (!maySee) refuse('the role may not see the standbys, grant it pg_read_all_stats.');
  if (standbys === 0) refuse(`no standby of synchronous_standby_names (${names}) is connected.`);
}
