import { batchRows } from '../commands/batchRows.ts';
import type { Database } from '../database.ts';
import type { MaintenanceLevel, MaintenanceScope } from '../generated/enums.ts';
import { byteaOf } from './findSession.ts';

export type { MaintenanceLevel, MaintenanceScope };

/** target is the operator's code or the game's id; the server has none. */
export type MaintenanceSwitch = { scope: MaintenanceScope; target: string; level: MaintenanceLevel; since: Date };

type SwitchKey = { scope: MaintenanceScope; target: string };

const BEFORE_SESSION = {
  name: 'maintenance_before_session',
  text: `SELECT ordinal, maintenance_before_session(token_sha256)::text AS level
  FROM unnest($1::bytea[]) WITH ORDINALITY AS c (token_sha256, ordinal)`,
};

/** The switches that apply to requests refused before their session is judged; the session, if one names it, narrows it. */
export async function maintenanceBeforeSessions(
  db: Database,
  tokenSha256s: readonly (Buffer | undefined)[],
): Promise<(MaintenanceLevel | null)[]> {
  const columns = [tokenSha256s.map((token) => (token === undefined ? null : byteaOf(token)))];
  const rows = await batchRows<{ ordinal: bigint; level: MaintenanceLevel | null }>(
    { pool: db.anonymous },
    {
      statement: BEFORE_SESSION,
      columns,
      count: tokenSha256s.length,
    },
  );
  return rows.map(({ level }) => level);
}

export async function switchMaintenanceOn(
  db: Database,
  { scope, target, level }: SwitchKey & { level: MaintenanceLevel },
): Promise<void> {
  const values = { scope, target, level };
  await db.maintenance.upsert({ where: { scope_target: { scope, target } }, create: values, update: { level } });
}

/** Answers whether the switch had been on. */
export async function switchMaintenanceOff(db: Database, { scope, target }: SwitchKey): Promise<boolean> {
  const { count } = await db.maintenance.deleteMany({ where: { scope, target } });
  return count > 0;
}

export function listMaintenance(db: Database): Promise<MaintenanceSwitch[]> {
  return db.maintenance.findMany({ orderBy: [{ scope: 'asc' }, { target: 'asc' }] });
}
