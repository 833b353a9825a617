import { runningServer } from '../dev/dataFolder.ts';
import { type Database, openDatabase } from '../ledger/database.ts';
import { isReachable } from '../ledger/queries/isReachable.ts';
import { StartError } from '../startError.ts';

export type DatabaseChoice = { database?: string; data: string };

/** Runs a command on the database that was named, or on that of the server which runs on the data folder. */
export async function withDatabase<Value>(
  choice: DatabaseChoice,
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  const db = openDatabase({ url: await databaseUrl(choice), connections: 2 });
  try {
    await requireReachable(db);
    return await work(db);
  } finally {
    await db.$disconnect();
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

export async function requireReachable(db: Database): Promise<void> {
  if (!(await isReachable(db)))
    throw new StartError('The database cannot be reached. Is its address right, and is it running?');
}
