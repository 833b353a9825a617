import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** This fails in one request. Unless a fault says otherwise, the server does the work. */
export type Fault =
  /** The connection breaks before the server gets the request: nothing is done. */
  | 'lostRequest'
  /** The connection breaks; the server gets the request when `deliverHeld` is called. */
  | 'heldRequest'
  | 'lostResponse'
  /** Half of the body comes, then the connection breaks. */
  | 'cutBody'
  /** Half of the body comes, then nothing more. */
  | 'stalledBody'
  /** No response comes. */
  | 'stalledResponse'
  | 'malformedResponse'
  /** The response is 200 and JSON, and not a response of this protocol. */
  | 'wrongShape'
  /** A proxy on the way gives up. */
  | 'badGateway'
  /** The server responds with ERR_GEN and does nothing. */
  | 'serverError'
  /** The server sends this response and does nothing. */
  | { status: number; body: unknown };

type SeenRequest = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The response of the real server, if there was one. */
  response?: { status: number; body: any };
};

export type FaultProxy = {
  /** Goes into `rgs_url`. */
  url: string;
  requests: SeenRequest[];
  /** The next requests with this path get these faults, one each. */
  fail(path: string, ...faults: Fault[]): void;
  /** From now on nothing fails. */
  heal(): void;
  /** Returns whether every fault has happened. */
  isSpent(): boolean;
  /** Resolves when the next request is left without its response. */
  stalled(): Promise<void>;
  /** Sends to the server what was held. */
  deliverHeld(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a proxy between a client and the real server, with the faults of a test. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults = new Map<string, Fault[]>();
  const requests: SeenRequest[] = [];
  const held: (() => Promise<unknown>)[] = [];
  let onStalled: (() => void)[] = [];

  const server = http.createServer(async (req, res) => {
    const text = await textOf(req);
    const seen: SeenRequest = {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    requests.push(seen);
    const forward = async () => {
      const response = await forwarded(target, req, text);
      seen.response = { status: response.status, body: JSON.parse(response.text) };
      return response;
    };
    const fault = faults.get(seen.path)?.shift();
    if (fault === undefined) return respond(res, await forward());
    if (typeof fault === 'object') return respond(res, { status: fault.status, text: JSON.stringify(fault.body) });
    if (fault === 'serverError') return respond(res, { status: 500, text: '{"error":"ERR_GEN","message":"broken"}' });
    if (fault === 'lostRequest') return void req.socket.destroy();
    if (fault === 'heldRequest') {
      held.push(forward);
      return void req.socket.destroy();
    }
    const response = await forward();
    if (fault === 'lostResponse') return void req.socket.destroy();
    if (fault === 'malformedResponse') return respond(res, { status: 200, text: '<html>hello</html>' });
    if (fault === 'wrongShape') return respond(res, { status: 200, text: '{"balance":{"amount":1.5}}' });
    if (fault === 'badGateway') return respond(res, { status: 502, text: '<html>bad gateway</html>' });
    if (fault !== 'stalledResponse') {
      res.writeHead(200, { 'Content-Length': Buffer.byteLength(response.text) });
      await new Promise((resolve) => res.write(response.text.slice(0, response.text.length / 2), resolve));
    }
    if (fault === 'cutBody') return void req.socket.destroy();
    for (const tell of onStalled.splice(0)) tell();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail: (path, ...more) => void faults.set(path, [...(faults.get(path) ?? []), ...more]),
    heal: () => faults.clear(),
    isSpent: () => [...faults.values()].every((left) => left.length === 0),
    stalled: () => new Promise((resolve) => onStalled.push(resolve)),
    async deliverHeld() {
      for (const deliver of held.splice(0)) await deliver();
    },
    async close() {
      onStalled = [];
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(req: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

type Forwarded = { status: number; text: string; requestId?: string | null };

async function forwarded(target: string, req: http.IncomingMessage, text: string): Promise<Forwarded> {
  const { 'content-type': contentType, 'idempotency-key': key } = req.headers;
  const response = await fetch(`${target}${req.url}`, {
    method: req.method ?? 'GET',
    headers: {
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...(key !== undefined && { 'Idempotency-Key': String(key) }),
    },
    ...(text !== '' && { body: text }),
  });
  return { status: response.status, text: await response.text(), requestId: response.headers.get('X-Request-Id') };
}

function respond(res: http.ServerResponse, { status, text, requestId }: Forwarded): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...(requestId && { 'X-Request-Id': requestId }) });
  res.end(text);
}
