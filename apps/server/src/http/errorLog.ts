import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

const PAUSE_MS = 1_000;
const MOST_KINDS = 100;

export type ErrorLog = (facts: { err: unknown; requestId?: string }, message: string) => void;

/**
 * Logs the same error at most once a second, and with the next line how often it was left out: what fails for one request under load
 * fails for a thousand, and each has its own line as a request anyway.
 */
export function createErrorLog(log: Logger): ErrorLog {
  const said = new LRUCache<string, { untilMs: number; leftOut: number }>({ max: MOST_KINDS });
  return (facts, message) => {
    const kind = `${message}: ${facts.err}`;
    const last = said.get(kind);
    const nowMs = performance.now();
    if (last !== undefined && nowMs < last.untilMs) {
      last.leftOut += 1;
      return;
    }
    said.set(kind, { untilMs: nowMs + PAUSE_MS, leftOut: 0 });
    const leftOut = last?.leftOut ?? 0;
    log.error({ ...facts, ...(leftOut > 0 && { leftOut }) }, message);
  };
}
