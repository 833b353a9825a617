import { openClient } from '@roundhouse/service';
import { findCell, type StoredCell } from '../cells/cell.ts';
import { pendingMigrations } from './migrate.ts';

/** What a database says before `migrate` changes it. It may be empty. */
export type BeforeMigrate = {
  /** `migrate` would apply these. */
  lacks: string[];
  stored: StoredCell | undefined;
  /** Two addresses with one place lead to one database; null when the role may not read it. */
  place: string | null;
};

/**
 * Changes nothing.
 * @throws when the database cannot be reached, or has migrations that this version does not know
 */
export async function lookBeforeMigrate(url: string): Promise<BeforeMigrate> {
  const lacks = await pendingMigrations(url);
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ oid: string; hasCell: boolean; mayAsk: boolean }>(
      `SELECT d.oid::text, to_regclass('cell') IS NOT NULL AS "hasCell",
         has_function_privilege('pg_control_system()', 'EXECUTE') AS "mayAsk"
       FROM pg_database d
       WHERE d.datname = current_database()`,
    );
    const [{ oid, hasCell, mayAsk } = { oid: '', hasCell: false, mayAsk: false }] = rows;
    const cluster = mayAsk
      ? await client.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')
      : undefined;
    return {
      lacks,
      stored: hasCell ? await findCell(client) : undefined,
      place: cluster === undefined ? null : `${cluster.rows[0]?.id} ${oid}`,
    };
  } finally {
    await client.end();
  }
}
