import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What goes wrong with one request. In the names, what was asked of the server is done unless they
 * say otherwise.
 */
export type Fault =
  /** The connection breaks before the server hears of it: nothing is done. */
  | 'lostRequest'
  /** The connection breaks; the server hears of it when `deliverHeld` is called. */
  | 'heldRequest'
  | 'lostAnswer'
  /** Half of the body comes, then the connection breaks. */
  | 'cutBody'
  /** Half of the body comes, then nothing more. */
  | 'stalledBody'
  /** Nothing comes. */
  | 'stalledAnswer'
  | 'garbage'
  /** 200, JSON, and no answer of this interface. */
  | 'wrongShape'
  /** A proxy on the way gives up. */
  | 'badGateway'
  /** The server itself says ERR_GEN, without having done anything. */
  | 'serverError'
  /** This answer; nothing is done. */
  | { status: number; body: unknown };

type SeenRequest = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** What the real server answered, if it was asked and has answered. */
  answer?: { status: number; body: any };
};

export type FaultProxy = {
  /** For rgs_url. */
  url: string;
  requests: SeenRequest[];
  /** The next requests with this path meet these faults, one each. */
  fail(path: string, ...faults: Fault[]): void;
  /** From now on nothing fails. */
  heal(): void;
  /** Whether every fault that was asked for has happened. */
  isSpent(): boolean;
  /** Resolves when the next request has been left without its answer. */
  stalled(): Promise<void>;
  /** Sends to the server what was held. */
  deliverHeld(): Promise<void>;
  close(): Promise<void>;
};

/** Stands between a client and the real server and does to each request what a test asks for. */
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
      const answer = await forwarded(target, req, text);
      seen.answer = { status: answer.status, body: JSON.parse(answer.text) };
      return answer;
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
    const answer = await forward();
    if (fault === 'lostAnswer') return void req.socket.destroy();
    if (fault === 'garbage') return respond(res, { status: 200, text: '<html>hello</html>' });
    if (fault === 'wrongShape') return respond(res, { status: 200, text: '{"balance":{"amount":1.5}}' });
    if (fault === 'badGateway') return respond(res, { status: 502, text: '<html>bad gateway</html>' });
    if (fault !== 'stalledAnswer') {
      res.writeHead(200, { 'Content-Length': Buffer.byteLength(answer.text) });
      await new Promise((resolve) => res.write(answer.text.slice(0, answer.text.length / 2), resolve));
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

type Answer = { status: number; text: string; requestId?: string | null };

async function forwarded(target: string, req: http.IncomingMessage, text: string): Promise<Answer> {
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

function respond(res: http.ServerResponse, { status, text, requestId }: Answer): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...(requestId && { 'X-Request-Id': requestId }) });
  res.end(text);
}
