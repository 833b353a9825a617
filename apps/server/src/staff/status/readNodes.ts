import type { OverviewNode } from '@roundhouse/contract/admin';
import type { Database } from '../../store/database/database.ts';
import { listEvents } from '../../store/watch/significantEvents.ts';
import { findStartedNodes, type StartedNode } from '../../watch/audit/startedNodes.ts';

export const MOST_NODES = 20;
/** The last events of a kind that are looked at: one node may have several. */
const MOST_EVENTS = 100;

/** Returns the last starts, the newest first, with what later events say of the same node. */
export async function readNodes(db: Pick<Database, '$queryRaw'>, starts?: StartedNode[]): Promise<OverviewNode[]> {
  const started = starts ?? (await findStartedNodes(db, MOST_NODES));
  const clocks = new Map(
    (await listEvents(db, { kind: 'clock_offset' }, MOST_EVENTS)).map((each) => [each.subject, each]),
  );
  const verified = await listEvents(db, { kind: 'install_verified' }, MOST_EVENTS);
  const mismatched = await listEvents(db, { kind: 'install_mismatch' }, MOST_EVENTS);
  const byTime = [...verified, ...mismatched].sort((left, right) => (left.at < right.at ? -1 : 1));
  const installs = new Map(byTime.map((each) => [each.subject, each]));
  return started.map(({ node, version, startedAt, stoppedAt }) => {
    const clock = clocks.get(`node ${node}`);
    const offset = JSON.parse(clock?.after ?? '{}') as { offsetMs?: number; isTooLarge?: boolean };
    // An installation is of a machine: all nodes on it share it.
    const install = installs.get(`installation of ${node.replace(/#\d+$/, '')}`);
    return {
      node,
      version,
      startedAt,
      stoppedAt,
      clockOffsetMs: offset.isTooLarge ? (offset.offsetMs ?? null) : null,
      install: install === undefined ? 'unchecked' : install.kind === 'install_verified' ? 'verified' : 'mismatch',
    };
  });
}
