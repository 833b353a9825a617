import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import type { MaintenanceScope, MaintenanceSwitch } from '../rounds/maintenance.ts';

/** `actor` and `reason` are those of the last event that started it or changed its level. */
export type ExplainedMaintenance = MaintenanceSwitch & { actor: string | null; reason: string | null };

type MaintenanceOf = { scope: MaintenanceScope; target: string };

/** Reads the maintenance that is on: all, or that of an operator, or of a game and its parts. */
export function readMaintenance(
  db: Pick<Database, '$queryRaw'>,
  only?: MaintenanceOf,
): Promise<ExplainedMaintenance[]> {
  const isWanted = only ? Prisma.sql`m.scope::text = ${only.scope} AND m.target = ${only.target}` : Prisma.sql`true`;
  return db.$queryRaw`
    SELECT m.scope::text AS scope, m.target, m.version, m.mode, m.level::text AS level, m.since, e.actor, e.reason
    FROM maintenance m
    LEFT JOIN LATERAL (
      SELECT actor, value_after::jsonb->>'reason' AS reason
      FROM significant_events
      WHERE subject = concat_ws(
          ' ', m.scope, nullif(m.target, ''), nullif(m.version, ''), 'mode ' || nullif(m.mode, '')
        )
        AND kind IN ('maintenance_started', 'maintenance_changed')
      ORDER BY id DESC
      LIMIT 1
    ) e ON true
    WHERE ${isWanted}
    ORDER BY m.scope, m.target, m.version, m.mode`;
}
