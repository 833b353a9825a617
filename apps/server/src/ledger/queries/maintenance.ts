import { batchCommand, bytea, text } from '../batchCommand.ts';
import type { Database } from '../database.ts';
import type { MaintenanceLevel, MaintenanceScope } from '../generated/enums.ts';

export type { MaintenanceLevel, MaintenanceScope };

/** target is the operator's code or the game's id; the server has none. */
export type MaintenanceSwitch = { scope: MaintenanceScope; target: string; level: MaintenanceLevel; since: Date };

type SwitchKey = { scope: MaintenanceScope; target: string };

/**
 * The maintenance levels of requests that are refused before their session is checked, or have
 * none.
 */
export const maintenanceBeforeSessions = batchCommand({
  name: 'maintenance_before_sessions',
  columns: { tokenSha256: bytea.as<Buffer | undefined>() },
  returns: { level: text.as<MaintenanceLevel | null>() },
  outcomeOf: ({ level }) => level,
});

export async function switchMaintenanceOn(
  db: Database,
  { scope, target, level }: SwitchKey & { level: MaintenanceLevel },
): Promise<void> {
  const values = { scope, target, level };
  await db.maintenance.upsert({ where: { scope_target: { scope, target } }, create: values, update: { level } });
}

/** Returns whether the switch was on. */
export async function switchMaintenanceOff(db: Database, { scope, target }: SwitchKey): Promise<boolean> {
  const { count } = await db.maintenance.deleteMany({ where: { scope, target } });
  return count > 0;
}

export function listMaintenance(db: Database): Promise<MaintenanceSwitch[]> {
  return db.maintenance.findMany({ orderBy: [{ scope: 'asc' }, { target: 'asc' }] });
}
