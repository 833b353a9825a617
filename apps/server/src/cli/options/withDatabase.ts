import os from 'node:os';
import { NO_LIMITS, StartError } from '@roundhouse/service';
import { type RunningServer, runningServer } from '../../node/dataFolder/lock.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../store/database/database.ts';
import { findIdentity, isSameDatabase } from '../../store/database/databaseHome.ts';
import { secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import { requireMigrated } from '../../store/database/startChecks.ts';

export type DatabaseChoice = { database?: string; data: string; actor?: string };

/** A server may run on the data folder, with or without the database of the command. */
export type ServerBeside = { server?: RunningServer | undefined; usesDatabase: boolean };

/** Runs a command on the given database, or on that of the server that runs on the data folder. */
export async function withDatabase<Value>(
  choice: DatabaseChoice,
  work: (db: Database, beside: ServerBeside) => Promise<Value>,
): Promise<Value> {
  const url = await databaseUrl(choice);
  await requireMigrated(url);
  const options = { url, connections: 2, limits: NO_LIMITS, actor: personActor(choice.actor) };
  const beside = await serverBeside(options, choice);
  const secretsKey = (beside.usesDatabase ? beside.server?.secretsKey : undefined) ?? secretsKeyOfEnvironment();
  return withOpened({ ...options, ...(secretsKey !== undefined && { secretsKey }) }, (db) => work(db, beside));
}

async function withOpened<Value>(options: DatabaseOptions, work: (db: Database) => Promise<Value>): Promise<Value> {
  const db = openDatabase(options);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** Compares what the databases say about themselves: two addresses may lead to one database. */
async function serverBeside(options: DatabaseOptions, { data }: DatabaseChoice): Promise<ServerBeside> {
  const server = await runningServer(data);
  if (server?.database === undefined) return { server, usesDatabase: false };
  const identity = await withOpened(options, findIdentity);
  return { server, usesDatabase: isSameDatabase(server.database, identity) };
}

/** Says why the server on the data folder gives no address, and what gives one. */
export function noAddressText({ server }: ServerBeside, { data }: DatabaseChoice): string {
  const why =
    server?.url === undefined
      ? `No server runs on ${data}`
      : `The server on ${data} (${server.url}) uses another database`;
  return `${why}: name the address of the server that uses this one with --rgs-url or ROUNDHOUSE_PUBLIC_URL.`;
}

/** Names the person who runs a command. */
export function personActor(name = userName()): string {
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

/** A command that this one starts on the same database gets this environment. */
export function environmentOf({ database, data }: { database: string | undefined; data: string }): NodeJS.ProcessEnv {
  return { ...process.env, ROUNDHOUSE_DATA: data, ...(database !== undefined && { DATABASE_URL: database }) };
}
