import type { Database } from '../ledger/database.ts';
import { listEvents } from '../ledger/queries/significantEvents.ts';
import type { Settings } from '../workers/nodeOptions.ts';

/** `serve` or `dev` started the node. Without an event of its end it has no `stoppedAt`. */
export type StartedNode = {
  node: string;
  startedAt: string;
  stoppedAt: string | null;
  version: string;
  nodeVersion?: string;
  settings?: Settings;
};

const MOST_STARTS = 1_000;

/** Reads the last starts from the log of significant events, the newest first. */
export async function findStartedNodes(db: Database): Promise<StartedNode[]> {
  const starts = await listEvents(db, { kind: 'node_started' }, MOST_STARTS);
  const stops = await listEvents(db, { kind: 'node_stopped' }, MOST_STARTS);
  const byTime = [...starts, ...stops].sort((left, right) => (left.at < right.at ? -1 : 1));
  const nodes: StartedNode[] = [];
  for (const { kind, subject, at, after } of byTime) {
    const node = subject.replace(/^node /, '');
    if (kind === 'node_started') nodes.unshift({ node, startedAt: at, stoppedAt: null, ...JSON.parse(after ?? '{}') });
    else {
      const stopped = nodes.find((each) => each.node === node);
      if (stopped !== undefined) stopped.stoppedAt ??= at;
    }
  }
  return nodes;
}
