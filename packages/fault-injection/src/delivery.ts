import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';

/** A call as it came, to be delivered to the server's own address. */
export type Call = {
  origin: { protocol: 'http:' | 'https:'; host: string | undefined; port: number | undefined };
  method: string | undefined;
  /** With the query, and with what a mount point has taken off. */
  target: string | undefined;
  headers: http.OutgoingHttpHeaders;
  body: Buffer;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Bodies up to here are delivered; whoever sends more loses the connection. */
const MAX_BODY_BYTES = 64 * 1024;

/** They are about one connection, and a delivery has its own. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a call whole. Rejects, with the connection cut, when it does not arrive whole or is too large. */
export async function readCall(req: IncomingMessage): Promise<Call> {
  const { socket } = req;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
  return {
    origin: {
      protocol: socket instanceof TLSSocket ? 'https:' : 'http:',
      host: socket.localAddress,
      port: socket.localPort,
    },
    method: req.method,
    target: (req as { originalUrl?: string }).originalUrl ?? req.url,
    headers: { ...withoutConnection(req.headers), ...(hasBody && { 'content-length': bytes }) },
    body: Buffer.concat(chunks),
  };
}

/** Sends the call, with one header more, and reads the answer whole. */
export function deliver({ origin, method, target, headers, body }: Call, pass: Record<string, string>) {
  return new Promise<Answer>((resolve, reject) => {
    const { request } = origin.protocol === 'https:' ? https : http;
    const sent = request({
      host: origin.host,
      port: origin.port,
      method,
      path: target,
      headers: { ...headers, ...pass },
      agent: false,
      // The address is this process's own, under whatever name its certificate is.
      rejectUnauthorized: false,
    });
    sent.once('error', reject);
    sent.once('response', (response) => readAnswer(response).then(resolve, reject));
    sent.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: withoutConnection(response.headers),
    body: Buffer.concat(chunks),
  };
}

/** Gives the caller an answer as the server gave it. */
export function relay(res: ServerResponse, { status, headers, body }: Answer): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  res.end(body);
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)));
}
