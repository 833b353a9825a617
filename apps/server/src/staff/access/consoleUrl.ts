import type { Database } from '../../store/database/database.ts';
import { findStartedNodes, type Settings } from '../../watch/audit/startedNodes.ts';

/**
 * Returns the address of the console that `serve` started last: its --console-url, else its port
 * on this machine. The event of each start has these options.
 */
export async function findConsoleUrl(db: Pick<Database, '$queryRaw'>): Promise<string | undefined> {
  for (const { settings } of await findStartedNodes(db)) {
    const url = urlOf(settings);
    if (url !== undefined) return url;
  }
  return undefined;
}

function urlOf({ consoleUrl, consolePort }: Settings = {}): string | undefined {
  if (typeof consoleUrl?.value === 'string') return consoleUrl.value;
  const port = consolePort?.value;
  // The system chooses the port in place of 0.
  return typeof port === 'number' && port !== 0 ? `http://localhost:${port}` : undefined;
}
