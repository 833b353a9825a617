import { prismaAdapter } from 'better-auth/adapters/prisma';
import type { Database } from '../database/database.ts';

/** Gives the library for accounts the tables of the console's users. */
export function consoleUserStore(db: Database) {
  return prismaAdapter(db, { provider: 'postgresql' });
}
