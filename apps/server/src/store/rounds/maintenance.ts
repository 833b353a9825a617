import { batchCommand, bytea, text } from '../database/batchCommand.ts';
import type { Database } from '../database/database.ts';
import type { MaintenanceLevel, MaintenanceScope } from '../generated/enums.ts';

export type { MaintenanceLevel, MaintenanceScope };

/**
 * target is the operator's code or the game's id; the server has none. version and mode belong to a
 * game; left out or empty for all of them. mode is in upper case, as in the game's configuration.
 */
export type SwitchKey = { scope: MaintenanceScope; target: string; version?: string; mode?: string };

export type MaintenanceSwitch = Required<SwitchKey> & { level: MaintenanceLevel; since: Date };

export type MaintenanceRefusal = `${MaintenanceScope}_maintenance`;

/** The strongest switch that holds for a request, as its level and the refusal of its scope. */
export type FoundMaintenance = { level: MaintenanceLevel; refusal: MaintenanceRefusal };

/**
 * Reads the maintenance of requests that are refused before their session is checked, or have none.
 */
export const maintenanceBeforeSessions = batchCommand({
  name: 'maintenance_before_sessions',
  columns: { tokenSha256: bytea.as<Buffer | undefined>() },
  returns: { level: text.as<MaintenanceLevel | null>(), refusal: text.as<MaintenanceRefusal>() },
  outcomeOf: ({ level, refusal }): FoundMaintenance | null => (level === null ? null : { level, refusal }),
});

/** A stop holds for each game, version or mode that it names; '' means all of them. */
export type GameStop = { gameID: string; version: string; mode: string; level: MaintenanceLevel };

/**
 * Reads what stops games for everybody: maintenance of the server and of games, and the versions
 * that are withdrawn now.
 */
export async function readGameStops({ anonymous }: Pick<Database, 'anonymous'>): Promise<GameStop[]> {
  const { rows } = await anonymous.query<GameStop>(`
    SELECT target AS "gameID", version, mode, level FROM maintenance WHERE scope <> 'operator'
    UNION ALL
    SELECT g.code, v.version, '', 'no_new_rounds' FROM game_versions v JOIN games g ON g.id = v.game_id
    WHERE v.withdrawn_at <= now()`);
  return rows;
}

/** Returns whether the switch was on. A mode has the level no_new_rounds alone. */
export async function switchMaintenanceOn(
  db: Pick<Database, 'maintenance'>,
  { level, ...switchKey }: SwitchKey & { level: MaintenanceLevel },
): Promise<boolean> {
  const key = { version: '', mode: '', ...switchKey };
  const where = { scope_target_version_mode: key };
  const known = await db.maintenance.findUnique({ where });
  await db.maintenance.upsert({ where, create: { ...key, level }, update: { level } });
  return known !== null;
}

/** Returns whether the switch was on. */
export async function switchMaintenanceOff(db: Pick<Database, 'maintenance'>, key: SwitchKey): Promise<boolean> {
  const { count } = await db.maintenance.deleteMany({ where: { version: '', mode: '', ...key } });
  return count > 0;
}

export function listMaintenance(db: Database): Promise<MaintenanceSwitch[]> {
  return db.maintenance.findMany({
    orderBy: [{ scope: 'asc' }, { target: 'asc' }, { version: 'asc' }, { mode: 'asc' }],
  });
}
