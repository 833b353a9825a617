import type { Database } from '../../src/ledger/database.ts';

/** Breaks the database behind the server by taking one thing away from it, and puts it back when the work is done. */
export async function withRenamed(
  { db }: { db: Database },
  { kind, name }: { kind: 'FUNCTION' | 'TABLE'; name: string },
  work: () => Promise<unknown>,
): Promise<void> {
  await db.$executeRawUnsafe(`ALTER ${kind} ${name} RENAME TO ${name}_away`);
  try {
    await work();
  } finally {
    await db.$executeRawUnsafe(`ALTER ${kind} ${name}_away RENAME TO ${name}`);
  }
}
