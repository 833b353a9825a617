import type { Database } from '../database.ts';
import type { MaintenanceLevel, MaintenanceScope } from '../generated/enums.ts';

export type { MaintenanceLevel, MaintenanceScope };

/** target is the operator's code or the game's id; the server has none. */
export type MaintenanceSwitch = { scope: MaintenanceScope; target: string; level: MaintenanceLevel; since: Date };

type SwitchKey = { scope: MaintenanceScope; target: string };

/** The switch that applies to a request refused before its session is judged; the session, if it names one, narrows it. */
export async function maintenanceBeforeSession(
  db: Database,
  tokenSha256: Uint8Array<ArrayBuffer> | undefined,
): Promise<MaintenanceLevel | null> {
  const [row] = await db.$queryRaw<{ level: MaintenanceLevel | null }[]>`
    SELECT maintenance_before_session(${tokenSha256 ?? null}::bytea)::text AS level`;
  return row?.level ?? null;
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
