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
  });
  return new PrismaClient({ adapter });
}
