import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createFaultSwitch, type FaultSwitch } from '../../src/index.ts';

/** Is a call as it reached the work behind the switch. */
type Work = { method: string; url: string; headers: http.IncomingHttpHeaders; body: Buffer };

export type GuardedServer = {
  url: string;
  faults: FaultSwitch;
  /** These calls came through, in the order in which they had come whole. */
  works: Work[];
  /** Returns how many of them have got a response. */
  answered(): number;
  /** Waits until this number of calls has come through. */
  worked(count: number): Promise<void>;
  /** Returns every request that came to the server, with the switch's own, headers as they came. */
  seen(): { headers: http.IncomingHttpHeaders }[];
  /** Ends the connections of the calls that wait for their responses behind the switch. */
  breakOff(): void;
  /** Takes `request` of node:http or node:https. */
  request: typeof https.request;
};

export type GuardedServerOptions = {
  /** Runs before the response to the call with this number. Numbers count from 1. */
  beforeResponse?: (number: number, server: GuardedServer) => Promise<void> | void;
  certificate?: { key: string; cert: string };
  defaultSeconds?: number;
  /** The server takes it off `url`, as Express does below a mount point. */
  mountedAt?: string;
};

export const PATHS = ['/debit', '/credit'];

/** Returns the response of a fault of kind `error` here. */
const errorResponse = (code: string | undefined) =>
  code === undefined ? { status: 500, body: {} } : { status: 400, body: { error: code } };

/**
 * Starts a real server whose work is a response `{number, method, url, bytes}`; it closes when the
 * test is over.
 */
export async function startGuardedServer(options: GuardedServerOptions = {}): Promise<GuardedServer> {
  const faults = createFaultSwitch({
    errorResponse,
    paths: PATHS,
    errorCodes: ['ERR_UE', 'ERR_IPB'],
    playersOf: async (body) => {
      const { player, players = [] } = (body ?? {}) as { player?: string; players?: string[] };
      return player === undefined ? players : [player];
    },
    ...(options.defaultSeconds !== undefined && { defaultSeconds: options.defaultSeconds }),
  });
  const arrivals = new Set<() => void>();
  const works: Work[] = [];
  const seen: { headers: http.IncomingHttpHeaders }[] = [];
  const waiting = new Set<IncomingMessage>();
  let answered = 0;

  const work = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { method = '', url = '', headers } = req;
    const number = works.push({ method, url, headers, body: Buffer.concat(chunks) });
    waiting.add(req);
    for (const arrived of arrivals) arrived();
    await options.beforeResponse?.(number, guarded);
    waiting.delete(req);
    answered += 1;
    res.writeHead(201, {
      'Content-Type': 'application/json',
      'X-Number': String(number),
      'Set-Cookie': ['a=1', 'b=2'],
    });
    res.end(JSON.stringify({ number, method, url }));
  };
  const handler: http.RequestListener = (req, res) => {
    seen.push({ headers: { ...req.headers } });
    if (options.mountedAt) {
      Object.assign(req, { originalUrl: req.url });
      req.url = req.url?.replace(options.mountedAt, '');
    }
    faults.handle(req, res, () => void work(req, res));
  };
  const server = options.certificate ? https.createServer(options.certificate, handler) : http.createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const { port } = server.address() as AddressInfo;
  const guarded: GuardedServer = {
    url: `${options.certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    faults,
    works,
    answered: () => answered,
    seen: () => seen,
    breakOff: () => {
      for (const { socket } of waiting) socket.destroy();
    },
    request: (options.certificate ? https : http).request as typeof https.request,
    worked: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (works.length < count) return;
          arrivals.delete(look);
          resolve();
        };
        arrivals.add(look);
        look();
      }),
  };
  return guarded;
}

/**
 * Sends a POST on a separate connection. Returns status, headers and text of the response. Rejects
 * when the connection is cut.
 */
export async function post(
  url: string,
  body: string | Uint8Array = '{}',
  headers: Record<string, string> = {},
): Promise<Pick<Response, 'status' | 'headers'> & { text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    body: body as string,
    headers: { connection: 'close', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
