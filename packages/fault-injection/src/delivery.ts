import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';

/** A request as it came, to be delivered to the server's own address. */
export type ReceivedRequest = {
  origin: { protocol: 'http:' | 'https:'; host: string | undefined; port: number | undefined };
  method: string | undefined;
  /** Has the query, and the mount point's prefix. */
  target: string | undefined;
  headers: http.OutgoingHttpHeaders;
  body: Buffer;
};

export type ReceivedResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A client that sends more loses its connection. A group of closings has up to 128 KiB. */
const MAX_BODY_BYTES = 256 * 1024;

/** These headers belong to one connection, and a delivery has its own. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads the whole request. Rejects when it is incomplete or too large. */
export async function readRequest(req: IncomingMessage): Promise<ReceivedRequest> {
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

/** Sends the request with the pass header, and reads the whole response. */
export function deliver({ origin, method, target, headers, body }: ReceivedRequest, pass: Record<string, string>) {
  return new Promise<ReceivedResponse>((resolve, reject) => {
    const { request } = origin.protocol === 'https:' ? https : http;
    const sent = request({
      host: origin.host,
      port: origin.port,
      method,
      path: target,
      headers: { ...headers, ...pass },
      agent: false,
      // The address is this process's own: the name in its certificate is another one.
      rejectUnauthorized: false,
    });
    sent.once('error', reject);
    sent.once('response', (response) => readResponse(response).then(resolve, reject));
    sent.end(body);
  });
}

async function readResponse(response: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: withoutConnection(response.headers),
    body: Buffer.concat(chunks),
  };
}

/** Sends the server's response to the client, unchanged. */
export function relay(res: ServerResponse, { status, headers, body }: ReceivedResponse): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  res.end(body);
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)));
}
