import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

export type Database = PrismaClient;

export type DatabaseOptions = {
  url: string;
  /** Connections of this process, at most. Commands run in batches, so a few are enough. */
  connections?: number;
};

const DEFAULT_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

export function openDatabase({ url, connections = DEFAULT_CONNECTIONS }: DatabaseOptions): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'roundhouse',
    // The driver takes every time without a zone for UTC, both ways: whatever the database's own zone is, this connection's is UTC.
    options: '-c TimeZone=UTC',
  });
  return new PrismaClient({ adapter });
}
