import { reasonOf } from '../../base/reason.ts';
import { type NodeMetrics, readNodeMetrics } from './nodeMetrics.ts';

/** What a node said at an address. */
export type NodeFacts = {
  url: string;
  /** Null when no node of Roundhouse responded; `issue` says why. */
  isReady: boolean | null;
  /** The reason of a node that is not ready. */
  reason: string | null;
  issue: string | null;
  metrics: NodeMetrics | null;
  /** Why there are no metrics; null when there are. */
  metricsIssue: string | null;
};

/** Metrics of many operators and routes have a few megabytes. */
const MOST_BYTES = 16_000_000;
/** A reason of another program may be of any length. */
const MOST_REASON_CHARACTERS = 200;

/** Asks a node whether it is ready, and for its metrics, at the same time. It never throws. */
export async function askNode(url: string, timeoutMs: number): Promise<NodeFacts> {
  const [ready, metrics] = await Promise.all([askReady(url, timeoutMs), askMetrics(url, timeoutMs)]);
  return { url, ...ready, ...metrics };
}

async function askReady(url: string, timeoutMs: number): Promise<Pick<NodeFacts, 'isReady' | 'reason' | 'issue'>> {
  const none = (issue: string) => ({ isReady: null, reason: null, issue });
  const response = await get(`${url}/readyz`, timeoutMs);
  if (typeof response === 'string') return none(response);
  const { status, text } = response;
  const said = statusOf(text);
  if (said === undefined || (status !== 200 && status !== 503)) {
    return none(`/readyz responds with status ${status}, and not as a node of Roundhouse does`);
  }
  return { isReady: status === 200, reason: status === 200 ? null : said, issue: null };
}

async function askMetrics(url: string, timeoutMs: number): Promise<Pick<NodeFacts, 'metrics' | 'metricsIssue'>> {
  const response = await get(`${url}/metrics`, timeoutMs);
  if (typeof response === 'string') return { metrics: null, metricsIssue: response };
  const { status, text } = response;
  if (status !== 200) return { metrics: null, metricsIssue: `/metrics responds with status ${status}` };
  const metrics = readNodeMetrics(text);
  if (metrics === undefined) return { metrics: null, metricsIssue: '/metrics has no metric of Roundhouse' };
  return { metrics, metricsIssue: null };
}

/** Returns the status of a health response, on one line; undefined when it is another response. */
function statusOf(text: string): string | undefined {
  try {
    const { status } = JSON.parse(text) as { status?: unknown };
    return typeof status === 'string' ? plain(status) : undefined;
  } catch {
    return undefined;
  }
}

/** Another program may have sent it: it must not move the cursor of a terminal. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, MOST_REASON_CHARACTERS);
}

/** Returns the response, or in one line why there is none. */
async function get(url: string, timeoutMs: number): Promise<{ status: number; text: string } | string> {
  try {
    // One time-out covers headers and body. A redirect leads away from the node.
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) return `the response has more than ${MOST_BYTES} bytes`;
    }
    return { status: response.status, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`;
    return plain(reasonOf(cause ?? error));
  }
}
