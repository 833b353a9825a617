import type { Database } from '../database.ts';

/** Not by the players' pool: there it would wait behind them, and hold a connection of theirs while the database is silent. */
export async function isReachable(db: Database): Promise<boolean> {
  return db.anonymous.query('SELECT 1').then(
    () => true,
    () => false,
  );
}
