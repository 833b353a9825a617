import type { Database } from '../../store/database/database.ts';
import { findOperator, listOperators } from '../../store/operators/operators.ts';
import { listPublishedVersions } from '../../store/rounds/games.ts';
import {
  type MaintenanceLevel,
  type SwitchKey,
  switchMaintenanceOff,
  switchMaintenanceOn,
} from '../../store/rounds/maintenance.ts';
import { giveReason } from '../../store/watch/significantEvents.ts';

export type MaintenanceKey = Required<SwitchKey>;

/**
 * `field` is the wrong part of the key. `why`: there is no such thing, the operator is disabled, or
 * the parts do not go together.
 */
export type MaintenanceIssue = {
  field: 'scope' | 'target' | 'version' | 'mode' | 'level';
  why: 'unknown' | 'disabled' | 'invalid';
  text: string;
};

export type MaintenanceOutcome = { ok: true; wasOn: boolean } | { ok: false; issue: MaintenanceIssue };

/** Switches maintenance on, or to another level; null: off. Takes effect on every node at once. */
export async function changeMaintenance(
  db: Database,
  { level, reason, ...key }: MaintenanceKey & { level: MaintenanceLevel | null; reason?: string | undefined },
): Promise<MaintenanceOutcome> {
  const issue = shapeIssue(key, level) ?? (level && (await unknownIssue(db, key))) ?? (await disabledIssue(db, key));
  if (issue) return { ok: false, issue };
  return db.$transaction(async (tx) => {
    if (reason !== undefined) await giveReason(tx, reason);
    const wasOn =
      level === null ? await switchMaintenanceOff(tx, key) : await switchMaintenanceOn(tx, { ...key, level });
    return { ok: true, wasOn };
  });
}

/** Returns what is wrong with the request itself, whatever the database has. */
export function shapeIssue(key: MaintenanceKey, level: MaintenanceLevel | null): MaintenanceIssue | undefined {
  const { scope, target, version, mode } = key;
  if (scope !== 'game' && (version !== '' || mode !== '')) {
    return invalid(version !== '' ? 'version' : 'mode', 'A version and a mode are those of a game.');
  }
  if (scope === 'server' && target !== '') return invalid('target', 'Maintenance of the server takes no target.');
  if (scope !== 'server' && target === '') {
    return invalid('target', `Which ${scope}? Name its ${scope === 'game' ? 'id' : 'code'}.`);
  }
  if (mode !== '' && level === 'nothing_at_all') {
    return invalid('level', 'A mode takes no new rounds; it has no other level.');
  }
  return undefined;
}

function invalid(field: MaintenanceIssue['field'], text: string): MaintenanceIssue {
  return { field, why: 'invalid', text };
}

/**
 * Finds a target that does not exist: a switch for a mistyped name would look as if it were on, and
 * refuse nothing.
 */
async function unknownIssue(db: Database, { scope, target, version, mode }: MaintenanceKey) {
  if (scope === 'server') return undefined;
  if (scope === 'operator') {
    const codes = (await listOperators(db)).map(({ code }) => code);
    return notOneOf(codes, { field: 'target', wanted: target, described: `operator ${target}` });
  }
  const published = await listPublishedVersions(db);
  const gameIDs = published.map(({ gameID }) => gameID);
  const ofGame = published.filter(({ gameID }) => gameID === target);
  const versions = ['', ...ofGame.map((each) => each.version)];
  const modes = ofGame.filter((each) => version === '' || each.version === version).flatMap((each) => each.modes);
  return (
    notOneOf(gameIDs, { field: 'target', wanted: target, described: `game ${target}` }) ??
    notOneOf(versions, { field: 'version', wanted: version, described: `version ${version} of game ${target}` }) ??
    notOneOf(['', ...modes], { field: 'mode', wanted: mode, described: `mode ${mode} of game ${target}` })
  );
}

type Wanted = { field: MaintenanceIssue['field']; wanted: string; described: string };

function notOneOf(known: readonly string[], { field, wanted, described }: Wanted): MaintenanceIssue | undefined {
  if (known.includes(wanted)) return undefined;
  const names = [...new Set(known)].filter((name) => name !== '').join(', ');
  return { field, why: 'unknown', text: `There is no ${described}. Known: ${names || 'none'}.` };
}

/** The maintenance of a disabled operator keeps its players out, so it stays. */
async function disabledIssue(db: Database, { scope, target }: MaintenanceKey) {
  if (scope !== 'operator') return undefined;
  if (!(await findOperator(db, target))?.isDisabled) return undefined;
  return { field: 'target', why: 'disabled', text: `Operator ${target} is disabled.` } satisfies MaintenanceIssue;
}
