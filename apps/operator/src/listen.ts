import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listener = { port: number; close(): Promise<void> };

/** A client that sends its request more slowly than this is not one of ours. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long requests in flight may take to finish. */
const DRAIN_TIMEOUT_MS = 15_000;
const SWEEP_MS = 50;
/** How long a connection that has brought no request yet may still bring one while we close. */
const SILENT_GRACE_MS = 500;

/** Listens, and closes so that requests in flight get their answers. */
export async function listen(
  app: http.RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  let inFlight = 0;
  const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (req, res) => {
    inFlight += 1;
    res.once('close', () => {
      inFlight -= 1;
    });
    app(req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server, () => inFlight) };
}

/**
 * Takes no new connection and closes those that fall idle. Browsers open connections in advance, and node:http counts one that has brought
 * nothing yet as busy: such a one is cut, or it would keep the process for ever.
 */
function drain(server: http.Server, inFlight: () => number): Promise<void> {
  return new Promise((resolve) => {
    const sinceMs = performance.now();
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      const waitedMs = performance.now() - sinceMs;
      const onlySilentOnesAreLeft = waitedMs > SILENT_GRACE_MS && inFlight() === 0;
      if (onlySilentOnesAreLeft || waitedMs > DRAIN_TIMEOUT_MS) server.closeAllConnections();
    }, SWEEP_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
