import type { Database } from '../database.ts';

export async function isReachable(db: Database): Promise<boolean> {
  return db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}
