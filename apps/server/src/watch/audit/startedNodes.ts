import type { Listens } from '../../base/address.ts';
import type { Database } from '../../store/database/database.ts';
import { listEvents } from '../../store/watch/significantEvents.ts';

/** The value of each option, and where it comes from: cli, env or default. */
export type Settings = Record<string, { value?: unknown; from?: string | undefined }>;

/** `serve` or `dev` started the node. Without an event of its end it has no `stoppedAt`. */
export type StartedNode = {
  node: string;
  startedAt: string;
  stoppedAt: string | null;
  version: string;
  nodeVersion?: string;
  settings?: Settings;
  listens?: Listens;
};

const MOST_STARTS = 1_000;

/**
 * Reads the last `most` starts from the log of significant events, the newest first, each by the
 * index of its kind.
 */
export async function findStartedNodes(db: Pick<Database, '$queryRaw'>, most = MOST_STARTS): Promise<StartedNode[]> {
  const starts = await listEvents(db, { kind: 'node_started' }, most);
  const stops = await listEvents(db, { kind: 'node_stopped' }, most);
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
