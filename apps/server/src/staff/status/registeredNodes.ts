import os from 'node:os';
import { applicationNameOf, type Database } from '../../store/database/database.ts';
import { findApplicationNames } from '../../store/staff/status.ts';
import { findStartedNodes } from '../../watch/audit/startedNodes.ts';
import { registeredUrlOf } from './nodeAddress.ts';
import { MOST_NODES } from './readNodes.ts';

/**
 * Returns the URLs of the nodes that run. Each has registered its address in the log of significant
 * events when it started. It runs for as long as it has a connection to the database: a node that
 * was killed has left no event of its end.
 */
export async function findRegisteredNodes(db: Database, thisMachine = os.hostname()): Promise<string[]> {
  const starts = await findStartedNodes(db, MOST_NODES);
  const connected = new Set(await findApplicationNames(db));
  const urls = starts
    .filter(({ node, stoppedAt }) => stoppedAt === null && connected.has(applicationNameOf(node)))
    .flatMap((start) => registeredUrlOf(start, thisMachine) ?? []);
  return [...new Set(urls)];
}
